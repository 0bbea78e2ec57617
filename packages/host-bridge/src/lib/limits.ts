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
    if (!Object.hasOwn(defaults, name)) {
      throw new HostBridgeError(
        'invalid_option',
        `${owner}: no limit is called "${name}"; there are ${Object.keys(defaults).join(', ')}`,
      );
    }
    if (value === undefined) continue;
    if (typeof value !== 'number' || !(value > 0)) {
      throw new HostBridgeError(
        'invalid_option',
        `${owner}: "${name}" must be a number above 0, got ${describe(value)}`,
      );
    }
    (limits as Record<string, unknown>)[name] = value;
  }
  return limits;
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
