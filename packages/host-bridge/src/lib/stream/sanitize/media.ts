const MEDIA_TYPE = /^([a-z0-9!#$&^_.+-]{1,127})\/([a-z0-9!#$&^_.+-]{1,127})$/;

/** `type/subtype` in lower case without parameters; `undefined` for anything else. */
export function essenceOf(mimeType: string): string | undefined {
  const essence = mimeType.split(';', 1)[0]!.trim().toLowerCase();
  return MEDIA_TYPE.test(essence) ? essence : undefined;
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
