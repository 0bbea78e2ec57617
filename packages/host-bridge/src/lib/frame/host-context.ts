import type { McpUiHostContext, McpUiResourcePermissions } from '@modelcontextprotocol/ext-apps/app-bridge';
import type { UiPermissions } from './ui-resource.ts';

const features: Record<keyof UiPermissions, string> = {
  camera: 'camera',
  microphone: 'microphone',
  geolocation: 'geolocation',
  clipboardWrite: 'clipboard-write',
};

/** What a document with an opaque origin can use: no browser lets it ask for the others (H24). */
const usableWhenOpaque: ReadonlySet<keyof UiPermissions> = new Set(['clipboardWrite'] as const);

/**
 * The permissions that are both asked for and allowed by the embedder, and of use there; the only ones a frame gets
 * and is told of.
 */
export function grantPermissions(
  declared: UiPermissions | undefined,
  allowed: readonly (keyof UiPermissions)[],
  dedicated: boolean,
): McpUiResourcePermissions {
  const names = (Object.keys(features) as (keyof UiPermissions)[]).filter(
    (name) =>
      allowed.includes(name) && declared?.[name] !== undefined && (dedicated || usableWhenOpaque.has(name)),
  );
  return Object.fromEntries(names.map((name) => [name, {}]));
}

/** The `allow` attribute for granted permissions, for the frame's own origin only. */
export function allowAttribute(granted: McpUiResourcePermissions): string {
  return (Object.keys(granted) as (keyof UiPermissions)[]).map((name) => features[name]).join('; ');
}

/** `containerDimensions` for a frame that fills its container's width and grows to `maxHeight` (H14, H15). */
export function containerDimensions(
  container: Element,
  maxHeight: number,
): NonNullable<McpUiHostContext['containerDimensions']> {
  const { clientWidth } = container;
  /* Not laid out yet, or hidden: a width of nothing would be a wrong fact rather than none. */
  return clientWidth > 0 ? { width: clientWidth, maxHeight } : { maxHeight };
}
