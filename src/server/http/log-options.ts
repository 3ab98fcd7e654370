import type { FastifyRequest } from 'fastify';
import type { LoggerOptions } from 'pino';

/** How every process logs requests: no header, no body, no query string, because that contains tokens and states. */
export const LOG_OPTIONS: LoggerOptions = {
  level: 'info',
  redact: {
    paths: ['*.authorization', '*.password', '*.token', '*.refresh', 'req.headers', 'req.body'],
    censor: '[redacted]',
  },
  serializers: {
    req: (request: FastifyRequest) => ({
      method: request.method,
      // The address of a signing page contains its token.
      path: request.url?.split('?', 1)[0]?.replace(/^\/sign\/[^/]+/, '/sign/[token]'),
      remoteAddress: request.ip,
    }),
    res: (reply: { statusCode: number }) => ({ statusCode: reply.statusCode }),
  },
};
