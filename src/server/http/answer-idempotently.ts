import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Endpoint } from '#contract/http/endpoint.ts';
import {
  claimIdempotencyKey,
  keepAnswer,
  releaseIdempotencyKey,
} from '#records/identity/idempotency-keys.ts';
import type { Dependencies } from './dependencies.ts';
import { isRefused, refuse, refusalBody, statusOf } from './refusal.ts';

type Carried = {
  readonly request: FastifyRequest;
  readonly endpoint: Endpoint;
  readonly carryOut: (repetitionId: string | null) => Promise<unknown>;
};

/**
 * Executes a request with an Idempotency-Key once. A repeat gets the first answer; a key used for another body or
 * resource, or whose first request is still running, is a conflict. Transient failures (5xx) release the key.
 */
export async function answerIdempotently(
  { request, endpoint, carryOut }: Carried,
  { records }: Dependencies,
): Promise<unknown> {
  const key = request.headers['idempotency-key'];
  if (typeof key !== 'string' || request.caller === null) return carryOut(null);
  const { userId, key: apiKey } = request.caller;
  const claim = {
    userId,
    endpoint: `${endpoint.method} ${endpoint.path}`,
    // What a person sent and what a program of theirs sent are never the same request.
    key: apiKey === undefined ? key : `${apiKey.id} ${key}`,
    requestHash: createHash('sha256')
      .update(JSON.stringify([request.params ?? null, request.body ?? null]))
      .digest('hex'),
  };
  const claimed = await claimIdempotencyKey(records.database, claim);
  if (claimed.outcome === 'answered') return asAnswered(claimed.status, claimed.response);
  if (claimed.outcome !== 'claimed') return refuse('idempotency_conflict', CONFLICTS[claimed.outcome]);
  try {
    const answer = await carryOut(repetitionId(claim));
    const status = isRefused(answer) ? statusOf(answer.code) : endpoint.status;
    if (status >= 500) await releaseIdempotencyKey(records.database, claim);
    else
      await keepAnswer(records.database, {
        ...claim,
        status,
        response: isRefused(answer) ? refusalBody(answer) : answer,
      });
    return answer;
  } catch (error) {
    await releaseIdempotencyKey(records.database, claim);
    throw error;
  }
}

const CONFLICTS = {
  other_request: 'This Idempotency-Key was used for a different request. Use a new key.',
  running: 'The first request with this Idempotency-Key is still in progress. Try again in a moment.',
} as const;

function asAnswered(status: number, response: unknown): unknown {
  if (status < 400) return response;
  const { code, message, field, details } = response as Parameters<typeof refusalBody>[0];
  return refuse(code, message, { field, details });
}

type Named = { readonly userId: string; readonly endpoint: string; readonly key: string };

/** A UUID of version 8: made from a hash. */
function repetitionId({ userId, endpoint, key }: Named): string {
  const hex = createHash('sha256')
    .update(JSON.stringify([userId, endpoint, key]))
    .digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
