import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';
import type { Answer, Endpoint, ParsedBody, ParsedParams, ParsedQuery } from '#contract/http/endpoint.ts';
import type { UserId } from '#units/identifiers.ts';
import type { Dependencies } from './dependencies.ts';
import type { Refused } from './refusal.ts';

/** Who is calling, as their access token says and their session confirms. */
export type Caller = { readonly userId: UserId; readonly sessionId: string };

type CallInput<E extends Endpoint> = {
  readonly params: ParsedParams<E>;
  readonly query: ParsedQuery<E>;
  readonly body: ParsedBody<E>;
  readonly caller: E['security'] extends 'bearer'
    ? Caller
    : E['security'] extends 'optional'
      ? Caller | null
      : null;
  readonly request: FastifyRequest;
  /** The same UUID for each repetition of a request with an Idempotency-Key; null without one. What is made takes it as its id. */
  readonly repetitionId: string | null;
  /** For headers only; the answer is what the call returns. */
  readonly reply: FastifyReply;
};

/** One call of the contract, carried out. Text answers may be streamed. */
export type Call<E extends Endpoint> = (
  input: CallInput<E>,
  dependencies: Dependencies,
) => Promise<Answer<E> | Refused | (E['media'] extends string ? Readable | Uint8Array : never)>;

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
  }
  interface FastifyContextConfig {
    security?: Endpoint['security'];
  }
}
