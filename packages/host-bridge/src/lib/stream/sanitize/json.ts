import type { Report, SanitizeCode } from './report.ts';

export interface JsonLimits {
  /** Levels of nesting. Default 64. */
  maxDepth: number;
  /** Values in one tree. Default 500,000. */
  maxValues: number;
  /** Characters of one string. Default 16 Mi: a 12 MB image in base64. */
  maxStringChars: number;
  /** Characters of one key. Default 4,096. */
  maxKeyChars: number;
}

/** Characters of one step of a path in a report, which goes into logs. */
const MAX_STEP_CHARS = 80;

class Refusal extends Error {
  readonly code: SanitizeCode;

  constructor(code: SanitizeCode, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * A copy that is plain JSON, within limits and without keys that pollute prototypes (field cases 47,
 * 49), or `undefined`, reported. Numbers, text and key order stay as they are.
 */
export function copyJson(value: unknown, path: string, report: Report, limits: JsonLimits): unknown {
  let budget = limits.maxValues;
  /** Where the walk is; a path is only written out when something is wrong there. */
  const steps: Array<string | number> = [];

  function copy(value: unknown): unknown {
    if (--budget < 0) throw new Refusal('too_many_values', `has more than ${limits.maxValues} values`);
    if (typeof value === 'string') {
      if (value.length <= limits.maxStringChars) return value;
      throw new Refusal('string_too_long', `has more than ${limits.maxStringChars} characters`);
    }
    if (value === null || typeof value === 'number' || typeof value === 'boolean') return value;
    if (typeof value !== 'object') throw new Refusal('not_json', `must be JSON, got a ${typeof value}`);
    if (steps.length >= limits.maxDepth) {
      throw new Refusal('too_deep', `is nested more than ${limits.maxDepth} levels deep`);
    }
    if (Array.isArray(value)) return copyArray(value);
    if (isRecord(value)) return copyObject(value);
    throw new Refusal('not_json', 'must be JSON, got an instance of a class');
  }

  function copyArray(value: unknown[]): unknown[] {
    const result: unknown[] = [];
    for (let i = 0; i < value.length; i++) {
      steps.push(i);
      result.push(copy(value[i] ?? null));
      steps.pop();
    }
    return result;
  }

  function copyObject(value: object): Record<string, unknown> {
    const result: Record<string, unknown> = {};
    for (const key of Object.keys(value)) {
      const item = (value as Record<string, unknown>)[key];
      if (item === undefined) continue;
      steps.push(key);
      if (key.length > limits.maxKeyChars) {
        throw new Refusal('key_too_long', `is a key of more than ${limits.maxKeyChars} characters`);
      }
      if (isForbiddenEntry(key, item))
        report('forbidden_key', here(), `the key "${key}" can reach a prototype`);
      else result[key] = copy(item);
      steps.pop();
    }
    return result;
  }

  function here(): string {
    return steps.reduce<string>(
      (at, step) => (typeof step === 'number' ? `${at}[${step}]` : `${at}.${step.slice(0, MAX_STEP_CHARS)}`),
      path,
    );
  }

  try {
    return copy(value);
  } catch (error) {
    if (error instanceof Refusal) report(error.code, here(), error.message);
    else report('not_json', here(), 'could not be read');
    return undefined;
  }
}

/**
 * `__proto__` never, `constructor` and `prototype` not as a step towards more: a naive deep merge in
 * a view walks through objects only, and tables do have a column called "constructor".
 */
export function isForbiddenEntry(key: string, value: unknown): boolean {
  if (key === '__proto__') return true;
  return (key === 'constructor' || key === 'prototype') && typeof value === 'object' && value !== null;
}

/** Plain objects of any realm: their prototype is the top of a chain. */
function isRecord(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
