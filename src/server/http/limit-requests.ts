import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { RateLimits } from './dependencies.ts';
import { refuse } from './refusal.ts';

const SIGN_IN_PATHS = new Set([
  '/api/auth/login/',
  '/api/auth/register/',
  '/api/auth/password/reset/',
  '/api/auth/password/reset/confirm/',
  '/api/staff/invitations/accept/',
  '/api/auth/email/verify/',
]);

/** Counts per process: with several behind one address, each allows its share. Register before sign-in. */
export async function limitRequests(app: FastifyInstance, limits: RateLimits): Promise<void> {
  app.addHook('onRoute', (route) => {
    if (!SIGN_IN_PATHS.has(route.url)) return;
    route.config = {
      ...route.config,
      rateLimit: { max: limits.signInsPerMinute, groupId: 'sign-in' },
    };
  });
  await app.register(rateLimit, {
    global: true,
    max: ({ caller }: FastifyRequest) =>
      caller?.key === undefined ? limits.requestsPerMinute : limits.requestsPerMinuteOfKey,
    timeWindow: 60_000,
    // Each key has its share, so that a program that runs wild does not lock its owner out.
    keyGenerator: ({ caller, ip }) => caller?.key?.id ?? caller?.userId ?? ip,
    errorResponseBuilder: (_request, context) =>
      refuse('too_many_requests', 'Too many requests. Please wait a moment and try again.', {
        retryAfterSeconds: Math.max(1, Math.ceil(context.ttl / 1000)),
      }),
  });
}
