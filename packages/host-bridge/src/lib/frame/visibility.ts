import { isPlainObject } from '@mcp-apps-bridge/partial-results';

/** Who may call a tool. */
export type ToolAudience = 'model' | 'app';

/**
 * Whether a tool's `_meta.ui.visibility` includes the audience (H8). A tool that says nothing is visible to
 * both. A value of the wrong shape names nobody: what cannot be read is not permission.
 *
 * Use it with `'model'` to filter the tools offered to the model.
 */
export function isToolVisibleTo(tool: { _meta?: unknown }, audience: ToolAudience): boolean {
  const ui = isPlainObject(tool._meta) ? tool._meta['ui'] : undefined;
  const visibility = isPlainObject(ui) ? ui['visibility'] : undefined;
  if (visibility === undefined || visibility === null) return true;
  return Array.isArray(visibility) && visibility.includes(audience);
}
