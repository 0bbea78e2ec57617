import {
  parsePartialToolResult,
  type PartialToolResult,
  type RejectionCode,
} from '@mcp-apps-bridge/partial-results';
import { resolveLimits } from '../limits.ts';

export interface IntakeLimits {
  /** Estimated bytes of one chunk, two per character; a result has its own limit. Default 4 MiB. */
  maxChunkBytes: number;
  /** Levels of nesting in a chunk. Default 256, above what the later checks allow. */
  maxDepth: number;
}

export const INTAKE_LIMITS: Readonly<IntakeLimits> = { maxChunkBytes: 4 * 1_024 * 1_024, maxDepth: 256 };

export type IntakeCode =
  | RejectionCode
  /** A function, symbol, class instance, DOM node or other value that is not JSON. */
  | 'not_cloneable'
  /** Reading the value threw. */
  | 'unreadable'
  | 'too_large'
  | 'too_deep'
  /** The chunk names another task than this call's. */
  | 'foreign_task'
  /** So far ahead of the last number that it cannot be meant. */
  | 'too_far';

export interface IntakeRejection {
  code: IntakeCode;
  path: string;
  message: string;
}

export interface IntakeOptions {
  accept(chunk: PartialToolResult, bytes: number): void;
  reject(rejection: IntakeRejection): void;
  /** The task this call runs as. Without it the first chunk that names one decides (S15). */
  taskId?: string | undefined;
  limits?: Partial<IntakeLimits> | undefined;
}

export interface Intake {
  /** Takes anything and never throws: one bad message must not end a stream (field case 9). */
  push(value: unknown): void;
  /** A new attempt: it may run as another task. */
  restart(): void;
}

export function createIntake(options: IntakeOptions): Intake {
  const { accept, reject } = options;
  const limits = resolveLimits('intake', INTAKE_LIMITS, options.limits);
  let taskId = options.taskId;

  /** The chunk and its size, or the first thing wrong with it. */
  function check(value: unknown): { chunk: PartialToolResult; bytes: number } | IntakeRejection {
    const parsed = parsePartialToolResult(value);
    if (!parsed.ok) return parsed.rejection;
    const chunk = parsed.value;
    const bytes = measure(chunk, limits.maxDepth);
    if (typeof bytes !== 'number') return refuse(bytes.code, `$${bytes.path}`, bytes.problem);
    if (bytes > limits.maxChunkBytes) {
      return refuse('too_large', '$', `must be at most ${limits.maxChunkBytes} estimated bytes, is ${bytes}`);
    }
    if (chunk.taskId !== undefined) {
      taskId ??= chunk.taskId;
      if (chunk.taskId !== taskId)
        return refuse('foreign_task', '$.taskId', 'names another task than this call');
    }
    return { chunk, bytes };
  }

  return {
    push(value) {
      let checked: ReturnType<typeof check>;
      try {
        checked = check(value);
      } catch (error) {
        checked = refuse(
          'unreadable',
          '$',
          `reading it threw ${error instanceof Error ? error.name : typeof error}`,
        );
      }
      if ('chunk' in checked) accept(checked.chunk, checked.bytes);
      else reject(checked);
    },
    restart() {
      taskId = options.taskId;
    },
  };
}

function refuse(code: IntakeCode, path: string, message: string): IntakeRejection {
  return { code, path, message: `${path}: ${message}` };
}

const SCALAR = 16;

interface Flaw {
  code: 'not_cloneable' | 'too_deep';
  /** Written from the inside out, so that a good value costs no strings. */
  path: string;
  problem: string;
}

/**
 * Size and fitness in one walk. Only JSON can reach a view: anything else makes `postMessage` throw
 * long after its origin is known (field case 88). A proxy over plain data is read through.
 */
function measure(value: unknown, levels: number): number | Flaw {
  if (typeof value === 'string') return SCALAR + value.length * 2;
  if (value === null || value === undefined) return SCALAR;
  if (typeof value === 'number' || typeof value === 'boolean') return SCALAR;
  if (typeof value !== 'object')
    return { code: 'not_cloneable', path: '', problem: `must be JSON, got a ${typeof value}` };
  if (levels === 0) return { code: 'too_deep', path: '', problem: 'is nested too deeply' };
  let size = SCALAR;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const part = measure(value[i], levels - 1);
      if (typeof part !== 'number') return { ...part, path: `[${i}]${part.path}` };
      size += part;
    }
    return size;
  }
  if (!isRecord(value))
    return { code: 'not_cloneable', path: '', problem: `must be JSON, got ${nameOf(value)}` };
  for (const key of Object.keys(value)) {
    const part = measure((value as Record<string, unknown>)[key], levels - 1);
    if (typeof part !== 'number') return { ...part, path: `.${key}${part.path}` };
    size += part + key.length * 2;
  }
  return size;
}

/** Plain objects of any realm: their prototype is the top of a chain. */
function isRecord(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function nameOf(value: object): string {
  const { constructor } = value;
  return typeof constructor === 'function' && constructor.name
    ? `an instance of ${constructor.name}`
    : 'an object';
}
