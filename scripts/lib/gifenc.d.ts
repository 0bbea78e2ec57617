/* The part of gifenc used here; the package ships no types. */
type Palette = number[][];

interface Encoder {
  writeFrame(
    pixels: Uint8Array,
    width: number,
    height: number,
    options: {
      palette: Palette;
      delay: number;
      transparent: boolean;
      transparentIndex: number;
      dispose: number;
    },
  ): void;
  finish(): void;
  bytes(): Uint8Array;
}

export interface Gifenc {
  GIFEncoder(): Encoder;
  quantize(rgba: Uint8Array, colors: number): Palette;
  applyPalette(rgba: Uint8Array, palette: Palette): Uint8Array;
}
