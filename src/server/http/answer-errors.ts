import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify';
import type { ErrorCode } from '#contract/http/error-code.ts';
import { DocumentsUnavailable } from '#ports/document-store.ts';
import { isRefused, refuse, refusalBody, statusOf, type Refused } from './refusal.ts';

/** Maps every thrown error to a refusal from the closed list, and logs it once. */
export function answerErrors(app: FastifyInstance): void {
  app.decorateRequest('isReadingBody', false);
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    request.isReadingBody = true;
    done();
  });
  app.addHook('preHandler', (request, _reply, done) => {
    request.isReadingBody = false;
    done();
  });
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const refused = isRefused(error) ? error : asRefused(error, request.isReadingBody);
    if (statusOf(refused.code) >= 500) {
      const { method, url: route = 'unknown' } = request.routeOptions;
      request.log.error({ err: error, method, route }, 'request failed');
    }
    return sendRefusal(reply, refused);
  });
}

export function sendRefusal(reply: FastifyReply, refused: Refused): FastifyReply {
  const status = statusOf(refused.code);
  const wait = refused.retryAfterSeconds ?? (status === 503 ? 5 : undefined);
  if (wait !== undefined) reply.header('retry-after', String(wait));
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  return reply.status(status).type('application/json; charset=utf-8').send(refusalBody(refused));
}

/** Maps errors of Fastify, its plugins and the database driver to ours. Whatever a body's reader throws is the body's fault. */
export function asRefused(error: FastifyError, isReadingBody = false): Refused {
  if (error.validation) return invalidField(error);
  const known = KNOWN[error.code];
  if (known) return refuse(known.code, known.message);
  if (error.statusCode === 413) return refuse('payload_too_large', TOO_LARGE);
  if (error.statusCode === 415) return refuse('unsupported_media_type', WRONG_TYPE);
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500)
    return refuse('malformed_request', 'The request could not be read.');
  if (UNSTORABLE_TEXT.has(error.code)) {
    return refuse('malformed_request', 'A text contains a character that cannot be stored.');
  }
  if (isReadingBody) return refuse('malformed_request', 'The body could not be read.');
  if (error instanceof DocumentsUnavailable || isOutage(error))
    return refuse('unavailable', 'The service is unavailable right now. Please try again shortly.');
  return refuse('internal_error', 'Something went wrong on our side. Please try again.');
}

const TOO_LARGE = 'The request is too large.';
const WRONG_TYPE = 'Send the body as application/json.';

const KNOWN: Readonly<Record<string, { code: ErrorCode; message: string }>> = {
  FST_ERR_CTP_INVALID_JSON_BODY: { code: 'malformed_request', message: 'The body is not valid JSON.' },
  FST_ERR_CTP_EMPTY_JSON_BODY: {
    code: 'malformed_request',
    message: 'The body is empty; send a JSON object.',
  },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    code: 'malformed_request',
    message: 'The body does not match its Content-Length.',
  },
  FST_ERR_CTP_BODY_TOO_LARGE: { code: 'payload_too_large', message: TOO_LARGE },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: { code: 'unsupported_media_type', message: WRONG_TYPE },
  FST_ERR_BAD_URL: { code: 'malformed_request', message: 'The address is malformed.' },
};

/** The first validation issue, with the name of its field. */
function invalidField(error: FastifyError): Refused {
  const first = error.validation?.[0];
  const field = first?.instancePath.split('/').filter(Boolean).join('.');
  const message = first?.message ?? 'A field is missing or invalid.';
  return refuse('invalid_field', message, field ? { field } : {});
}

/** PostgreSQL gone, starting, out of connections, or a connection that broke: it may work in a moment. */
function isOutage(error: Error & { code?: string }): boolean {
  const code = error.code ?? '';
  return (
    /^(08|53|57P)/.test(code) ||
    OUTAGE_CODES.has(code) ||
    /Connection terminated|timeout (exceeded|expired)|is not queryable|recovery is in progress/.test(
      error.message,
    )
  );
}

/** A body with a text that ends in the middle of a character. */
export class HalfCharacter extends Error {
  readonly code = 'HALF_CHARACTER';
}

/** PostgreSQL's words for U+0000 in text and in jsonb, and our own for half a character. */
const UNSTORABLE_TEXT = new Set(['22021', '22P05', 'HALF_CHARACTER']);

const OUTAGE_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  '40001',
  '40P01',
  // A former primary that only reads by now.
  '25006',
]);
