/** A token nobody can guess (S9, D9). `getRandomValues` also exists where `randomUUID` does not: on plain HTTP. */
export function createToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
