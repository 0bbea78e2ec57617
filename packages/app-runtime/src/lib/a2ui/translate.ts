import { isPlainObject } from '@mcp-apps-bridge/partial-results';
import type { A2uiProblem, A2uiStep } from './types.ts';

export type Translation = { ok: true; steps: A2uiStep[] } | { ok: false; problem: A2uiProblem };

const VERSIONS: ReadonlySet<unknown> = new Set(['v0.9', 'v0.9.1', 'v1.0']);
const KINDS = ['createSurface', 'updateComponents', 'updateDataModel', 'deleteSurface'] as const;
/** v0.8 messages carry no version; their names tell. */
const V0_8_KINDS = ['beginRendering', 'surfaceUpdate', 'dataModelUpdate'];
/** v1.0 messages that call back and forth with an agent; a tool result has nobody to answer. */
const CALLBACK_KINDS = ['callRendererFunction', 'agentFunctionResponse'];

/**
 * Reads one message of v0.9, v0.9.1 or v1.0 (field case 78). Nothing is dropped in silence: the
 * processor behind it would ignore a version it does not know, and half of a v1.0 `createSurface`.
 */
export function translate(message: unknown): Translation {
  if (!isPlainObject(message)) return fail('invalid_message', 'an A2UI message must be an object');
  const old = V0_8_KINDS.find((kind) => kind in message);
  if (old) return fail('unsupported_version', `A2UI v0.8 (${old}) is not supported; send v0.9 or v1.0`);
  const { version } = message;
  // No version at all is tolerated when the rest has the shape of a message.
  if (version !== undefined && !VERSIONS.has(version)) {
    return fail('unsupported_version', `A2UI version ${show(version)} is not supported; send v0.9 or v1.0`);
  }
  const found = KINDS.filter((kind) => message[kind] !== undefined);
  if (found.length !== 1) {
    const callback = CALLBACK_KINDS.find((kind) => kind in message);
    if (callback) return fail('unsupported_message', `${callback} is not supported in tool output`);
    return fail('invalid_message', `a message has one of ${KINDS.join(', ')}; found ${found.length}`);
  }
  const kind = found[0]!;
  const body = message[kind];
  if (!isPlainObject(body)) return fail('invalid_message', `${kind} must be an object`);
  const { surfaceId } = body;
  if (typeof surfaceId !== 'string') return fail('invalid_message', `${kind}.surfaceId must be a string`);
  return readers[kind](surfaceId, body, version === 'v1.0');
}

type Body = Record<string, unknown>;

const readers: Record<(typeof KINDS)[number], (surfaceId: string, body: Body, v1: boolean) => Translation> = {
  createSurface(surfaceId, { catalogId, theme, sendDataModel, components, dataModel }) {
    if (catalogId !== undefined && typeof catalogId !== 'string') {
      return fail('invalid_message', 'createSurface.catalogId must be a string', surfaceId);
    }
    const create: A2uiStep = { kind: 'create', surfaceId };
    if (catalogId !== undefined) create.catalogId = catalogId;
    if (isPlainObject(theme)) create.theme = theme;
    if (sendDataModel === true) create.sendDataModel = true;
    const steps: A2uiStep[] = [create];
    // Data first, so that no list is drawn empty and then again.
    if (isPlainObject(dataModel)) steps.push({ kind: 'data', surfaceId, path: '/', value: dataModel });
    if (Array.isArray(components)) steps.push({ kind: 'components', surfaceId, components });
    return { ok: true, steps };
  },
  updateComponents(surfaceId, { components }) {
    if (!Array.isArray(components)) {
      return fail('invalid_message', 'updateComponents.components must be an array', surfaceId);
    }
    return { ok: true, steps: [{ kind: 'components', surfaceId, components }] };
  },
  updateDataModel(surfaceId, { path = '/', value }, v1) {
    if (typeof path !== 'string')
      return fail('invalid_message', 'updateDataModel.path must be a string', surfaceId);
    const deletes = v1 && value === null;
    return { ok: true, steps: [{ kind: 'data', surfaceId, path, value: deletes ? undefined : value }] };
  },
  deleteSurface: (surfaceId) => ({ ok: true, steps: [{ kind: 'delete', surfaceId }] }),
};

function fail(code: A2uiProblem['code'], message: string, surfaceId?: string): Translation {
  return { ok: false, problem: { code, message, ...(surfaceId !== undefined && { surfaceId }) } };
}

function show(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 40) : typeof value;
}
