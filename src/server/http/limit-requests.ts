import type { FastifyInstance, onRequestHookHandler } from 'fastify';
import { type Instant, MINUTE_MS, SECOND_MS } from '#units/instant.ts';
import type { RateLimits } from './dependencies.ts';
import { networkOf } from './network-of.ts';
import { asError, refuse } from './refusal.ts';
import { RequestCounter } from './request-counter.ts';

const SIGN_IN_PATHS = new Set([
  '/api/auth/login/',
  '/api/auth/register/',
  '/api/auth/password/reset/',
  '/api/auth/password/reset/confirm/',
  '/api/staff/invitations/accept/',
  '/api/auth/email/verify/',
]);

/** Counts per process: with several behind one address, each allows its share. Register once callers are known, and before they are refused. */
export function limitRequests(app: FastifyInstance, limits: RateLimits, now: () => Instant): void {
  const signIns = new RequestCounter(MINUTE_MS);
  const requests = new RequestCounter(MINUTE_MS);
  const limitSignIns: onRequestHookHandler = ({ ip }, _reply, done) =>
    done(asError(refusalAfter(signIns.count(networkOf(ip), limits.signInsPerMinute, now()))));
  const limitOthers: onRequestHookHandler = ({ caller, ip }, _reply, done) => {
    const max = caller?.key === undefined ? limits.requestsPerMinute : limits.requestsPerMinuteOfKey;
    // Each key has its share, so that a program that runs wild does not lock its owner out.
    done(
      asError(refusalAfter(requests.count(caller?.key?.id ?? caller?.userId ?? networkOf(ip), max, now()))),
    );
  };
  app.addHook('onRoute', (route) => {
    const limit = SIGN_IN_PATHS.has(route.url) ? limitSignIns : limitOthers;
    route.onRequest = [route.onRequest ?? [], limit].flat();
  });
}

function refusalAfter(waitMs: number) {
  if (waitMs === 0) return null;
  return refuse('too_many_requests', 'Too many requests. Please wait a moment and try again.', {
    retryAfterSeconds: Math.ceil(waitMs / SECOND_MS),
  });
}
