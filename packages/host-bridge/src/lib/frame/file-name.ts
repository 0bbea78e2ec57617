const MAX_CHARS = 120;
/* Path separators and what file systems or shells give a meaning. */
const MEANINGFUL = /[\\/:*?"<>|]/g;
/* Controls, and format characters: a right-to-left override shows `gpj.exe` as `exe.jpg`. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
/* Devices on Windows, whatever their extension. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/**
 * A file name that names a file in the folder of downloads and nothing else (H21): no path, no hidden characters,
 * no device, no leading or trailing dot or space, at most 120 characters with its extension.
 */
export function safeFileName(name: unknown): string {
  const text = typeof name === 'string' ? name.slice(0, 4_096).normalize('NFC') : '';
  const parts = text.split(/[\\/]/);
  const last = parts.reverse().find((part) => /[^.\s]/.test(part)) ?? '';
  const clean = trim(last.replace(INVISIBLE, '').replace(MEANINGFUL, '_'));
  const named = RESERVED.test(clean) ? `_${clean}` : clean;
  return shorten(named) || 'download';
}

function trim(name: string): string {
  return name.replace(/^[.\s]+|[.\s]+$/g, '');
}

function shorten(name: string): string {
  if (name.length <= MAX_CHARS) return name;
  const extension = /\.[A-Za-z0-9]{1,12}$/.exec(name)?.[0] ?? '';
  return trim(name.slice(0, MAX_CHARS - extension.length).replace(/[\uD800-\uDBFF]$/, '')) + extension;
}
