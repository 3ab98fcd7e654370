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
  app.addHook('onSend', async (request, reply, payload) => {
    if (typeof payload !== 'string' || payload.length < LARGE_BYTES || reply.hasHeader('content-encoding'))
      return payload;
    if (!String(reply.getHeader('content-type')).includes('json')) return payload;
    reply.header('vary', 'accept-encoding');
    const accepted = String(request.headers['accept-encoding'] ?? '');
    if (/\bbr\b(?!;q=0(?!\.))/.test(accepted)) {
      reply.header('content-encoding', 'br').removeHeader('content-length');
      return brotli(payload, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
          [constants.BROTLI_PARAM_SIZE_HINT]: payload.length,
        },
      });
    }
    if (/\bgzip\b(?!;q=0(?!\.))/.test(accepted)) {
      reply.header('content-encoding', 'gzip').removeHeader('content-length');
      return zip(payload);
    }
    return payload;
  });
}
