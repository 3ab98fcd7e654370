// Runs in a thread of its own for one picture: what decoding takes, in time and memory, ends with the thread.
import { createHash } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import openVips from 'wasm-vips';
import type { Thumbnail } from '#records/strategies/strategy-thumbnails.ts';

/** The size on cards, for screens of twice the density. */
const WIDTH = 640;
const HEIGHT = 360;
/** A small file can decompress into a huge picture. */
const PIXELS_MAX = 12_000_000;

parentPort?.postMessage(await encode(workerData as Uint8Array));

/**
 * Decodes, crops and re-encodes a picture as WebP, so that only the pixels of the upload are kept. Null when it is too
 * large, or not a readable PNG, JPEG or WebP. Formats that draw or script are left out of the library.
 */
async function encode(upload: Uint8Array): Promise<Thumbnail | null> {
  const vips = await openVips({ dynamicLibraries: [] });
  vips.concurrency(1);
  try {
    // A picture that is cut short is no picture.
    const opened = vips.Image.newFromBuffer(upload, '', { fail_on: 'truncated' });
    if (opened.width * opened.height > PIXELS_MAX) return null;
    const image = opened.thumbnailImage(WIDTH, { height: HEIGHT, crop: 'centre' });
    const webp = Buffer.from(image.writeToBuffer('.webp', { Q: 80, keep: 0 }));
    return { webp, hash: createHash('sha256').update(webp).digest('base64url') };
  } catch (error) {
    // The library throws its own values for unreadable pictures, and Errors for bugs of ours.
    if (error instanceof TypeError || error instanceof RangeError) throw error;
    return null;
  }
}
