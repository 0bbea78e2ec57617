import { isPlainObject } from '@mcp-apps-bridge/partial-results';
import type { GateCatalog } from './check-component.ts';

/** Ids of one catalog in the versions this gate reads; the components did not change between them. */
const BASIC_CATALOG =
  /^https:\/\/a2ui\.org\/specification\/v(0_9|0_9_1|1_0)\/(catalogs\/)?(basic|minimal)(\/catalog|_catalog)\.json$/;

/** The catalog a `createSurface` names, by its own id or that of another version. */
export function findCatalog(
  catalogs: readonly GateCatalog[],
  id: string | undefined,
): GateCatalog | undefined {
  // v1.0 may leave the id out: the first catalog is the default.
  if (id === undefined) return catalogs[0];
  const exact = catalogs.find((catalog) => catalog.id === id);
  if (exact) return exact;
  return BASIC_CATALOG.test(id) ? catalogs.find((catalog) => BASIC_CATALOG.test(catalog.id)) : undefined;
}

const COLOR = /^#([0-9a-f]{3}|[0-9a-f]{4}|[0-9a-f]{6}|[0-9a-f]{8})$/i;

/** A theme color ends up in a style property, where `url(…)` would load something. */
export function safeTheme(theme: unknown): Record<string, unknown> {
  if (!isPlainObject(theme)) return {};
  const { primaryColor, ...rest } = theme;
  return typeof primaryColor === 'string' && COLOR.test(primaryColor) ? { ...rest, primaryColor } : rest;
}
