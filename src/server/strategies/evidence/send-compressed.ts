import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

type Exchange = { readonly request: FastifyRequest; readonly reply: FastifyReply };

/** The parts one after the other, so that a long history is never fully in memory; gzipped where that is taken. */
export function sendCompressed(parts: AsyncIterable<string | Uint8Array>, { request, reply }: Exchange) {
  const body = Readable.from(parts, { objectMode: false });
  reply.header('vary', 'accept-encoding');
  if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return body;
  reply.header('content-encoding', 'gzip');
  return body.pipe(createGzip({ level: FAST }));
}

/** Prices hardly shrink further at higher levels. */
const FAST = 4;
