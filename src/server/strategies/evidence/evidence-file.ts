// The evidence of a result as one compressed file: written once for everybody who asks within a while, and then only sent.
import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, mkdtempSync, type ReadStream, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { MINUTE_MS } from '#units/instant.ts';

/** What the records say may change: a bar that is corrected shows soon. */
const KEPT_MS = 10 * MINUTE_MS;
const FILES_MAX = 40;
/** Prices hardly shrink further at higher levels. */
const FAST = 4;

type Kept = { readonly file: Promise<string>; readonly until: number };

const kept = new Map<string, Kept>();
let folder: string | null = null;
let last: Promise<unknown> = Promise.resolve();

type Evidence = {
  /** Of the result and the form: what has the same name has the same contents. */
  readonly name: string;
  readonly parts: () => AsyncIterable<string | Uint8Array>;
};

export type Exchange = { readonly request: FastifyRequest; readonly reply: FastifyReply };

/** Gzipped where that is taken. */
export async function sendEvidenceFile(evidence: Evidence, { request, reply }: Exchange): Promise<Readable> {
  const file = await openEvidenceFile(evidence);
  reply.header('vary', 'accept-encoding');
  if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return file.pipe(createGunzip());
  reply.header('content-encoding', 'gzip');
  return file;
}

/** Gzipped. One file is written at a time. */
export async function openEvidenceFile({ name, parts }: Evidence): Promise<ReadStream> {
  dropOld();
  const known = kept.get(name);
  if (known !== undefined) return createReadStream(await known.file);
  const file = last.then(() => writeFile(parts()));
  last = file.catch(() => undefined);
  kept.set(name, { file, until: Date.now() + KEPT_MS });
  try {
    return createReadStream(await file);
  } catch (error) {
    kept.delete(name);
    throw error;
  }
}

async function writeFile(parts: AsyncIterable<string | Uint8Array>): Promise<string> {
  folder ??= makeFolder();
  const file = path.join(folder, `${randomUUID()}.gz`);
  await pipeline(
    Readable.from(parts, { objectMode: false }),
    createGzip({ level: FAST }),
    createWriteStream(file, { mode: 0o600 }),
  );
  return file;
}

function makeFolder(): string {
  const made = mkdtempSync(path.join(tmpdir(), 'bellwether-evidence-'));
  process.once('exit', () => rmSync(made, { recursive: true, force: true }));
  return made;
}

/** Whoever reads one of them reads it to its end. */
function dropOld(): void {
  const now = Date.now();
  for (const [name, { file, until }] of kept) {
    if (until > now && kept.size <= FILES_MAX) continue;
    kept.delete(name);
    void file
      .then((place) => setTimeout(() => rmSync(place, { force: true }), MINUTE_MS).unref())
      .catch(() => undefined);
  }
}
