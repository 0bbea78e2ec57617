import { HostBridgeError } from './errors.ts';

/**
 * Lays given limits over the defaults. A misspelt limit that is silently ignored is worse than none,
 * so unknown names and values that are not positive numbers throw (field case 35).
 * @throws HostBridgeError `invalid_option`
 */
export function resolveLimits<T extends object>(
  owner: string,
  defaults: Readonly<T>,
  given: Partial<T> | undefined,
): T {
  const limits = { ...defaults };
  for (const [name, value] of Object.entries(given ?? {})) {
    checkLimit(owner, Object.keys(defaults), name, value, (number) => number > 0 || 'above 0');
    if (value !== undefined) (limits as Record<string, unknown>)[name] = value;
  }
  return limits;
}

/**
 * The same for limits whose defaults another package holds; 0 is a limit there.
 * @throws HostBridgeError `invalid_option`
 */
export function checkLimits(owner: string, names: readonly string[], given: object | undefined): void {
  for (const [name, value] of Object.entries(given ?? {})) {
    checkLimit(owner, names, name, value, (number) => number >= 0 || 'from 0');
  }
}

function checkLimit(
  owner: string,
  names: readonly string[],
  name: string,
  value: unknown,
  check: (value: number) => true | string,
): void {
  if (!names.includes(name)) {
    throw new HostBridgeError(
      'invalid_option',
      `${owner}: no limit is called "${name}"; there are ${names.join(', ')}`,
    );
  }
  if (value === undefined) return;
  const wanted = check(typeof value === 'number' ? value : NaN);
  if (wanted === true) return;
  throw new HostBridgeError(
    'invalid_option',
    `${owner}: "${name}" must be a number ${wanted}, got ${describe(value)}`,
  );
}

/**
 * Rejects option names that do not exist.
 * @throws HostBridgeError `invalid_option`
 */
export function checkOptionNames(owner: string, names: readonly string[], options: object): void {
  for (const name of Object.keys(options)) {
    if (!names.includes(name)) {
      throw new HostBridgeError(
        'invalid_option',
        `${owner}: no option is called "${name}"; there are ${names.join(', ')}`,
      );
    }
  }
}

function describe(value: unknown): string {
  return typeof value === 'number' ? String(value) : typeof value;
}
