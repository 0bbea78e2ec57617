const MEDIA_TYPE = /^([a-z0-9!#$&^_.+-]{1,127})\/([a-z0-9!#$&^_.+-]{1,127})$/;
/** Neither a name nor a quoted value may hold what ends an attribute, should a view write one with it. */
const PARAMETER = /^\s*(?:[\w!#$&^.+*-]+\s*(?:=\s*(?:[\w!#$^.+*%:/@-]+|"[\w .,+:/?#@~%-]*")\s*)?)?$/;
const MAX_CHARS = 512;

/** `type/subtype` in lower case without parameters; `undefined` for anything else. */
export function essenceOf(mimeType: string): string | undefined {
  if (mimeType.length > MAX_CHARS) return undefined;
  const [type, ...parameters] = mimeType.split(';');
  const essence = type!.trim().toLowerCase();
  return MEDIA_TYPE.test(essence) && parameters.every((it) => PARAMETER.test(it)) ? essence : undefined;
}

/**
 * Types a browser runs script from when it is handed the content as a document. SVG is among them,
 * and so is XML of any vocabulary.
 */
export function isActiveMarkup(essence: string): boolean {
  if (essence === 'text/html' || essence === 'text/xml' || essence === 'application/xml') return true;
  return essence === 'text/xsl' || essence === 'multipart/x-mixed-replace' || essence.endsWith('+xml');
}

/** Raster images and audio that browsers decode without running anything. */
export const MEDIA_TYPES: Readonly<Record<'image' | 'audio', readonly string[]>> = {
  image: [
    'image/png',
    'image/jpeg',
    'image/jpg',
    'image/gif',
    'image/webp',
    'image/avif',
    'image/bmp',
    'image/x-icon',
    'image/vnd.microsoft.icon',
  ],
  audio: [
    'audio/mpeg',
    'audio/mp3',
    'audio/mp4',
    'audio/aac',
    'audio/ogg',
    'audio/opus',
    'audio/flac',
    'audio/wav',
    'audio/wave',
    'audio/x-wav',
    'audio/webm',
  ],
};

/**
 * Base64 with its padding, white space between allowed as `atob` does. A loop: a pattern over
 * megabytes of attacker-chosen text is what this file must not have.
 */
export function isBase64(data: string): boolean {
  let digits = 0;
  let padding = 0;
  for (let i = 0; i < data.length; i++) {
    const code = data.charCodeAt(i);
    if (code === 0x3d) padding++;
    else if (code === 0x20 || (code >= 0x09 && code <= 0x0d)) continue;
    else if (padding > 0 || !isDigit(code)) return false;
    else digits++;
  }
  return padding <= 2 && (digits + padding) % 4 === 0;
}

function isDigit(code: number): boolean {
  return (
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x30 && code <= 0x39) ||
    code === 0x2b ||
    code === 0x2f
  );
}

/** White space, byte order marks and the zeros of UTF-16 that may stand before the first `<` of markup. */
const BEFORE_MARKUP = /^[\s\0\u00EF\u00BB\u00BF\u00FE\u00FF]*</;
/** 1,536 bytes: more than browsers look at. */
const SNIFFED_CHARS = 2_048;

/**
 * Whether an image or sound is markup by its content: a reader that goes by that would run it,
 * whatever the type says. No raster or audio format begins so.
 * @param data valid base64
 */
export function holdsMarkup(data: string): boolean {
  let digits = '';
  for (let i = 0; i < data.length && digits.length < SNIFFED_CHARS; i++) {
    if (isDigit(data.charCodeAt(i))) digits += data[i];
  }
  return BEFORE_MARKUP.test(atob(digits));
}
