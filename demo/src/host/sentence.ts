/** What went wrong, as a sentence: what a browser says of a failed fetch has no full stop. */
export function asSentence(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
