import { buildCsp, type BuiltCsp, type UiCsp } from '../sandbox/csp.ts';
import type { SandboxSettings } from './app-view-types.ts';

/** The declared domains that are well-formed and that the embedder lets pass (H7). */
export function restrictCsp(declared: UiCsp | undefined, { allowDomain }: SandboxSettings): BuiltCsp {
  const built = buildCsp(declared);
  if (!allowDomain) return built;
  const rejected = [...built.rejected];
  const kept: UiCsp = {};
  for (const list of Object.keys(built.applied) as (keyof UiCsp)[]) {
    kept[list] = (built.applied[list] ?? []).filter((value) => {
      const allowed = allowDomain(value, list);
      if (!allowed) rejected.push({ list, value, reason: 'refused by the embedder' });
      return allowed;
    });
  }
  return { ...buildCsp(kept), rejected };
}
