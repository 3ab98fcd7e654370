import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';

/**
 * Below it an answer fits in about five packets, and compressing costs more than it saves, so a page's polls are not
 * compressed. Answers with tokens are also far below it, so none is compressed together with another user's text.
 */
const LARGE_BYTES = 8 * 1024;
/** Of 11. At 4 a list of strategies is a fifth of its size in a millisecond or two. */
const BROTLI_QUALITY = 4;

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** Compresses large JSON answers for clients that accept it. The web app's files are compressed at build. */
export function compressAnswers(app: FastifyInstance): void {
  // No promise for what stays as it is, which is most.
  app.addHook('onSend', (request, reply, payload, done) => {
    if (
      typeof payload !== 'string' ||
      payload.length < LARGE_BYTES ||
      reply.hasHeader('content-encoding') ||
      !String(reply.getHeader('content-type')).includes('json')
    )
      return done(null, payload);
    reply.header('vary', 'accept-encoding');
    const accepted = String(request.headers['accept-encoding'] ?? '');
    const compress = ENCODINGS.find(({ accepts }) => accepts.test(accepted));
    if (compress === undefined) return done(null, payload);
    reply.header('content-encoding', compress.encoding).removeHeader('content-length');
    compress.work(payload).then((bytes) => done(null, bytes), done);
  });
}

const ENCODINGS = [
  {
    encoding: 'br',
    accepts: /\bbr\b(?!;q=0(?!\.))/,
    work: (text: string) =>
      brotli(text, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
          [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
        },
      }),
  },
  { encoding: 'gzip', accepts: /\bgzip\b(?!;q=0(?!\.))/, work: (text: string) => zip(text) },
];
