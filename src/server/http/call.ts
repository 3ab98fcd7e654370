import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';
import type { EndpointName } from '#contract/every-endpoint.ts';
import type { Answer, Endpoint, ParsedBody, ParsedParams, ParsedQuery } from '#contract/http/endpoint.ts';
import type { Who } from '#contract/http/policies.ts';
import type { KeyInUse } from '#records/api-keys/api-keys.ts';
import type { StaffRole } from '#rules/identity/staff-role.ts';
import type { UserId } from '#units/identifiers.ts';
import type { Dependencies } from './dependencies.ts';
import type { Refused } from './refusal.ts';

/** A caller with the role that the policy of the call asks for. */
export type Staff = {
  readonly id: UserId;
  readonly email: string;
  readonly role: StaffRole;
  readonly actor: string;
};

/** The caller, identified by the access token and confirmed by the session, or by an API key. */
export type Caller = {
  readonly userId: UserId;
  /** Of an API key its own id, which no session has. */
  readonly sessionId: string;
  /** A program that acts for the person; absent for the person. */
  readonly key?: KeyInUse;
};

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
  /** The same UUID for each repeat under one Idempotency-Key, used as the id of what it creates; null without a key. */
  readonly repetitionId: string | null;
  /** For headers only; the answer is what the call returns. */
  readonly reply: FastifyReply;
};

/** The implementation of one contract call. Text answers may be streamed. */
export type Call<E extends Endpoint> = (
  input: CallInput<E>,
  dependencies: Dependencies,
) => Promise<Answer<E> | Refused | (E['media'] extends string ? Readable | Uint8Array : never)>;

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
    /** Set where the policy of the call asks for a role. */
    staff: Staff | null;
    /** The caller showed a link in place of an access token. */
    isByLink: boolean;
    /** From the first byte of the body until it has been read and validated. */
    isReadingBody: boolean;
  }
  interface FastifyContextConfig {
    security?: Endpoint['security'];
    who?: Who;
    /** The call of the contract. */
    name?: EndpointName;
    opensByLink?: boolean;
    /** Answers with JSON alone. */
    isData?: boolean;
  }
}
