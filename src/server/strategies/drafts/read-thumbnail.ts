// The picture of an upload, decoded beside the request thread: one at a time, one of each person.
import { Worker } from 'node:worker_threads';
import type { Thumbnail } from '#records/strategies/strategy-thumbnails.ts';
import type { UserId } from '#units/identifiers.ts';
import { refuse, type Refused } from '../../http/refusal.ts';

/** A picture of the largest size takes two seconds on a slow machine. */
const DEADLINE_MS = 20_000;
const WAITING_MAX = 20;

const waiting = new Set<UserId>();
let last: Promise<unknown> = Promise.resolve();

/** Undefined without a picture. Refused when it cannot be read, or while one of the same person is being read. */
export async function readThumbnail(
  picture: File | undefined,
  userId: UserId,
): Promise<Thumbnail | Refused | undefined> {
  if (picture === undefined) return undefined;
  if (waiting.has(userId) || waiting.size >= WAITING_MAX) return refuse('too_many_requests', BUSY);
  waiting.add(userId);
  try {
    const upload = await picture.bytes();
    if (!isKnownFormat(upload)) return refuse('image_invalid', NO_IMAGE, { field: 'thumbnail' });
    const own = last.then(() => encodeInThread(upload));
    last = own.catch(() => undefined);
    return (await own) ?? refuse('image_invalid', NO_IMAGE, { field: 'thumbnail' });
  } finally {
    waiting.delete(userId);
  }
}

const BUSY = 'Another picture is still being read. Please try again in a moment.';
const NO_IMAGE = 'Send a PNG, JPEG or WebP picture of at most 12 megapixels.';

/** Null when it cannot be read, or not in time. */
function encodeInThread(upload: Uint8Array): Promise<Thumbnail | null> {
  const { promise, resolve, reject } = Promise.withResolvers<Thumbnail | null>();
  const thread = new Worker(new URL('./encode-thumbnail.ts', import.meta.url), {
    workerData: upload,
    // The library writes a line for each row that it cannot read.
    stderr: true,
  });
  const deadline = setTimeout(resolve, DEADLINE_MS, null);
  thread.once('message', resolve);
  thread.once('error', reject);
  thread.once('exit', () => resolve(null));
  return promise.finally(() => {
    clearTimeout(deadline);
    void thread.terminate();
  });
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
