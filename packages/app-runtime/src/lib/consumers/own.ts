/** A list that may be changed: the given one where it is the caller's own, else a copy, which then is. */
export function ownList<T>(list: readonly T[], own: WeakSet<object>): T[] {
  if (own.has(list)) return list as T[];
  const copy = [...list];
  own.add(copy);
  return copy;
}
