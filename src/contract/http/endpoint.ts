import { z } from 'zod';
import type { ERROR_CODES, ErrorCode } from './error-code.ts';
import type { Route } from './route.ts';

type Room =
  | 'identity'
  | 'api-keys'
  | 'suitability'
  | 'strategies'
  | 'backtests'
  | 'agreements'
  | 'brokerage'
  | 'deployments'
  | 'portfolio'
  | 'notifications'
  | 'news'
  | 'webhooks'
  | 'billing'
  | 'fees'
  | 'downloads'
  | 'leaving'
  | 'strategy-builder'
  | 'operations'
  | 'staff';

type RefusalStatus = (typeof ERROR_CODES)[keyof typeof ERROR_CODES]['status'];

/** The request and response of one call. Made by `endpoint`, one object per call, in the file of its room. */
export type Endpoint = Route & {
  readonly room: Room;
  readonly summary: string;
  /** What a caller should know beyond the summary: a sentence or two. */
  readonly description?: string;
  /**
   * 'bearer' needs `Authorization: Bearer <access token>`; 'open' is public. 'optional' is public too, and shows people
   * with a token their own drafts as well.
   */
  readonly security: 'bearer' | 'open' | 'optional';
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** The body comes as a form, with files; else it is JSON. */
  readonly form?: 'multipart';
  /** The status and body of success. Status 204 has no body: answer is z.void(). */
  readonly status: 200 | 201 | 202 | 204;
  readonly answer: z.ZodType;
  /** The media type of the answer where it is not JSON, or JSON that is streamed. */
  readonly media?:
    | 'text/csv'
    | 'text/html'
    | 'text/plain'
    | 'image/webp'
    | 'text/event-stream'
    | 'application/pdf'
    | 'application/json'
    | 'application/octet-stream'
    | 'application/zip';
  /** The codes of this call's own rules; refusal-codes.ts adds those of every call. */
  readonly refusals: readonly (ErrorCode | RefusalStatus)[];
  /** Its own refusals are a page for a person, not JSON. */
  readonly refusesWithPage?: true;
  /** Honours the header Idempotency-Key. */
  readonly idempotent?: true;
  /**
   * Only within ten minutes of a sign-in or confirmation: 'second factor' of those who have one, 'always' of everyone.
   */
  readonly confirms?: 'second factor' | 'always';
  /** A private file: a link of createDownloadLink opens it once, in place of the access token. */
  readonly opensByLink?: true;
  /** Answered from memory: neither the database nor any other service can make it fail. */
  readonly isStatic?: true;
};

export function endpoint<const R extends Route, const D extends Omit<Endpoint, keyof Route>>(
  route: R,
  definition: D,
): R & D {
  return { ...route, ...definition };
}

/** The request as sent: what a caller must write. */
export type SentParams<E> = E extends { readonly params: infer P extends z.ZodType } ? z.input<P> : undefined;
export type SentQuery<E> = E extends { readonly query: infer Q extends z.ZodType } ? z.input<Q> : undefined;
export type SentBody<E> = E extends { readonly body: infer B extends z.ZodType } ? z.input<B> : undefined;

/** The same after parsing: what a handler reads. */
export type ParsedParams<E> = E extends { readonly params: infer P extends z.ZodType }
  ? z.output<P>
  : undefined;
export type ParsedQuery<E> = E extends { readonly query: infer Q extends z.ZodType }
  ? z.output<Q>
  : undefined;
export type ParsedBody<E> = E extends { readonly body: infer B extends z.ZodType } ? z.output<B> : undefined;

/** The body of success. */
export type Answer<E extends { readonly answer: z.ZodType }> = z.output<E['answer']>;

/** The parameter of every path with one id. */
export const idParams = z.object({
  id: z.string().max(100).describe('Its id, as a list or another answer names it.'),
});
