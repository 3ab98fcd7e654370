// The vendor's limit of requests: so many a minute for one key or token, counted in the response's headers.
import type { FastifyInstance } from 'fastify';
import { MINUTE_MS } from '#units/instant.ts';

export function limitRequests(app: FastifyInstance, perMinute: number, realNow: () => number): void {
  const windows = new Map<string, { startedAt: number; count: number }>();
  app.addHook('onRequest', async (request, reply) => {
    const { authorization, 'apca-api-key-id': key } = request.headers;
    const caller = String(authorization ?? key ?? '');
    if (caller === '') return undefined;
    const now = realNow();
    const last = windows.get(caller);
    const window = last && now - last.startedAt < MINUTE_MS ? last : { startedAt: now, count: 0 };
    window.count += 1;
    windows.set(caller, window);
    reply.header('x-ratelimit-limit', perMinute);
    reply.header('x-ratelimit-remaining', Math.max(0, perMinute - window.count));
    reply.header('x-ratelimit-reset', Math.ceil((window.startedAt + MINUTE_MS) / 1_000));
    return window.count > perMinute ? reply.code(429).send(TOO_MANY) : undefined;
  });
}

export const TOO_MANY = { code: 42_910_000, message: 'rate limit exceeded' };
/** The vendor's guides: 200 a minute. */
export const REQUESTS_PER_MINUTE = 200;
