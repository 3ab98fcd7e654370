// The vendor's idempotency: a key answers once begun requests the same again, failures of the vendor included; with other
// parameters it is refused. Faults are told here, because a lost answer is one that was made.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { newId } from './books.ts';
import type { Fields } from './form.ts';

export type Answer = { readonly status: number; readonly body: unknown };
export type Routed = { readonly params: Readonly<Record<string, string>>; readonly fields: Fields };

export type Faults = {
  down: boolean;
  /** Of requests whose path matches, so many are carried out and not answered. */
  lost: { readonly path: RegExp; times: number } | null;
  /** The next so many fail at the vendor before anything is done. */
  broken: { readonly path: RegExp; times: number } | null;
};

type Kept = { readonly asked: string; answer: Answer | null };

export function createAnswerer(faults: Faults) {
  const kept = new Map<string, Kept>();
  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    work: (routed: Routed) => Answer,
  ): Promise<void> => {
    reply.header('request-id', newId('req'));
    const key = request.headers['idempotency-key'];
    const fields = (request.body ?? {}) as Fields;
    const asked = JSON.stringify([request.method, request.url, fields]);
    const before = typeof key === 'string' ? kept.get(key) : undefined;
    if (before !== undefined && before.asked !== asked)
      return send(
        reply,
        refusal(
          400,
          'idempotency_error',
          'Keys for idempotent requests can only be used with the same parameters.',
        ),
      );
    if (before !== undefined) reply.header('idempotent-replayed', 'true');
    const answer =
      before?.answer ??
      (takes(faults.broken, request.url)
        ? refusal(500, 'api_error', 'An unknown error occurred.')
        : work({ params: request.params as Record<string, string>, fields }));
    if (typeof key === 'string') kept.set(key, { asked, answer });
    if (takes(faults.lost, request.url)) {
      request.raw.socket.destroy();
      return;
    }
    return send(reply, answer);
  };
}

async function send(reply: FastifyReply, { status, body }: Answer): Promise<void> {
  await reply.status(status).send(body);
}

function takes(fault: { readonly path: RegExp; times: number } | null, url: string): boolean {
  if (fault === null || fault.times === 0 || !fault.path.test(url)) return false;
  fault.times -= 1;
  return true;
}

export function refusal(status: number, type: string, message: string, more: object = {}): Answer {
  return { status, body: { error: { type, message, ...more } } };
}

export const ok = (body: unknown): Answer => ({ status: 200, body });
export const missing = (what: string): Answer =>
  refusal(404, 'invalid_request_error', `No such ${what}`, { code: 'resource_missing' });
