import type { McpUiHostContext, McpUiResourcePermissions } from '@modelcontextprotocol/ext-apps/app-bridge';
import type { UiPermissions } from './ui-resource.ts';

const features: Record<keyof UiPermissions, string> = {
  camera: 'camera',
  microphone: 'microphone',
  geolocation: 'geolocation',
  clipboardWrite: 'clipboard-write',
};

/** The permissions that are both asked for and allowed by the embedder; the only ones a frame gets. */
export function grantPermissions(
  declared: UiPermissions | undefined,
  allowed: readonly (keyof UiPermissions)[],
): McpUiResourcePermissions {
  const names = (Object.keys(features) as (keyof UiPermissions)[]).filter(
    (name) => allowed.includes(name) && declared?.[name] !== undefined,
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
