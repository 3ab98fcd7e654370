import { createHash } from 'node:crypto';
import type Vips from 'wasm-vips';
import type { Thumbnail } from '#records/strategies/strategy-thumbnails.ts';

/** The size on cards, for screens of twice the density. */
const WIDTH = 640;
const HEIGHT = 360;
/** A small file can decompress into a huge picture. */
const PIXELS_MAX = 40_000_000;

/**
 * Decodes, crops and re-encodes a picture as WebP, so that only the pixels of the upload are kept. Null when it is not
 * a readable PNG, JPEG or WebP.
 */
export async function encodeThumbnail(upload: Uint8Array): Promise<Thumbnail | null> {
  if (!isKnownFormat(upload)) return null;
  const vips = await loadVips();
  try {
    const opened = vips.Image.newFromBuffer(upload);
    const pixels = opened.width * opened.height;
    opened.delete();
    if (pixels > PIXELS_MAX) return null;
    const image = vips.Image.thumbnailBuffer(upload, WIDTH, { height: HEIGHT, crop: 'centre' });
    const webp = Buffer.from(image.writeToBuffer('.webp', { Q: 80, keep: 0 }));
    image.delete();
    return { webp, hash: createHash('sha256').update(webp).digest('base64url') };
  } catch (error) {
    // The library throws its own values for unreadable pictures, and Errors for bugs of ours.
    if (error instanceof TypeError || error instanceof RangeError) throw error;
    return null;
  }
}

/** Decided by the first bytes, not by the file name or the declared type. */
function isKnownFormat(bytes: Uint8Array): boolean {
  const begins = (at: number, ...wanted: readonly number[]) =>
    wanted.every((byte, i) => bytes[at + i] === byte);
  const isPng = begins(0, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
  const isJpeg = begins(0, 0xff, 0xd8, 0xff);
  const isWebp = begins(0, 0x52, 0x49, 0x46, 0x46) && begins(8, 0x57, 0x45, 0x42, 0x50);
  return isPng || isJpeg || isWebp;
}

let loaded: Promise<typeof Vips> | undefined;

/** Loaded with the first picture: 5 MB that most processes never need. Formats that draw or script are left out. */
function loadVips(): Promise<typeof Vips> {
  loaded ??= import('wasm-vips').then(async ({ default: open }) => {
    const vips = await open({ dynamicLibraries: [] });
    vips.concurrency(1);
    return vips;
  });
  return loaded;
}
