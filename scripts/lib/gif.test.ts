import { PNG } from 'pngjs';
import { describe, expect, it } from 'vitest';
import { encodeGif } from './gif.mjs';

function picture(
  width: number,
  height: number,
  paint: (x: number, y: number) => [number, number, number],
): Buffer {
  const image = new PNG({ width, height });
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) image.data.set([...paint(x, y), 255], (y * width + x) * 4);
  }
  return PNG.sync.write(image);
}

const noise =
  (shift: number) =>
  (x: number, y: number): [number, number, number] => [
    ((x * 5 + shift) % 8) * 32,
    ((y * 3 + shift) % 8) * 32,
    ((x * y) % 4) * 64,
  ];

describe('encodeGif', () => {
  const first = picture(64, 64, noise(0));
  const corner = picture(64, 64, (x, y) => (x < 4 && y < 4 ? [0, 0, 0] : noise(0)(x, y)));
  const other = picture(64, 64, noise(3));

  it('drops pictures that repeat the one before', () => {
    const once = encodeGif([
      { png: first, at: 0 },
      { png: other, at: 300 },
    ]);
    const repeated = encodeGif([
      { png: first, at: 0 },
      { png: first, at: 100 },
      { png: first, at: 200 },
      { png: other, at: 300 },
    ]);
    expect(Buffer.from(once.subarray(0, 6)).toString()).toBe('GIF89a');
    expect(repeated).toEqual(once);
  });

  it('pays only for what changed', () => {
    const one = encodeGif([{ png: first, at: 0 }]).length;
    const small = encodeGif([
      { png: first, at: 0 },
      { png: corner, at: 100 },
    ]).length;
    const whole = encodeGif([
      { png: first, at: 0 },
      { png: other, at: 100 },
    ]).length;
    expect(small - one).toBeLessThan((whole - one) / 2);
  });
});
