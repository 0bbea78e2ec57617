import { createRequire } from 'node:module';
import { PNG } from 'pngjs';

/*
 * The package's two builds export differently and Node and Vite pick different ones; `require` gets
 * the same one everywhere.
 */
/** @type {import('./gifenc.js').Gifenc} */
const gifenc = createRequire(import.meta.url)('gifenc');
const { GIFEncoder, applyPalette, quantize } = gifenc;

/** How long the last picture stays, in milliseconds. */
const LAST_MS = 4000;
/** Index of the colour that means "as before": what did not change costs next to nothing. */
const UNCHANGED = 0;

/**
 * @param {readonly { png: Buffer, at: number }[]} shots pictures of one size and when each was taken
 * @returns {Uint8Array} an endless animation; pictures that repeat the one before only make it last longer
 */
export function encodeGif(shots) {
  const frames = distinct(shots);
  const palette = paletteOf(frames);
  const gif = GIFEncoder();
  /** @type {Uint8Array | undefined} */
  let before;
  for (const [index, { image, at }] of frames.entries()) {
    const pixels = applyPalette(image.data, palette).map((color) => color + 1);
    const next = frames[index + 1];
    gif.writeFrame(before ? changes(before, pixels) : pixels, image.width, image.height, {
      palette: [[0, 0, 0], ...palette],
      delay: next ? Math.min(next.at - at, 1000) : LAST_MS,
      transparent: true,
      transparentIndex: UNCHANGED,
      dispose: 1,
    });
    before = pixels;
  }
  gif.finish();
  return gif.bytes();
}

/** @param {readonly { png: Buffer, at: number }[]} shots */
function distinct(shots) {
  /** @type {{ image: PNG, at: number }[]} */
  const frames = [];
  for (const { png, at } of shots) {
    const image = PNG.sync.read(png);
    const last = frames.at(-1);
    if (!last?.image.data.equals(image.data)) frames.push({ image, at });
  }
  return frames;
}

/**
 * One palette for all, so that a pixel that did not change keeps its index.
 * @param {readonly { image: PNG }[]} frames
 * @returns {number[][]}
 */
function paletteOf(frames) {
  const step = Math.max(1, Math.ceil(frames.length / 8));
  const samples = frames.filter((_, index) => index % step === 0 || index === frames.length - 1);
  return quantize(Buffer.concat(samples.map(({ image }) => image.data)), 255);
}

/**
 * @param {Uint8Array} before
 * @param {Uint8Array} after
 */
function changes(before, after) {
  return after.map((color, pixel) => (color === before[pixel] ? UNCHANGED : color));
}
