// The table of calls: for every endpoint of the contract one case of success and one for each code of its own.
//
// How a room adds its cases: write tests/api/cases/<room>.ts that exports `<room>Cases: CasesOf<typeof <room>Endpoints>`
// and name it in tests/api/every-case.ts. A case is a function that prepares what it needs over HTTP or by rows
// (tests/support) and answers what is then sent; the suite sends it over a real socket and compares the status and the
// code. The compiler asks for a case of each code that the endpoint names in `refusals`. What every call refuses alike
// (no sign-in, a body that cannot be read, someone else's id, too many requests, no database) needs no case: the suite
// makes those from the case of success, which therefore prepares its data again on each call.
import type { Endpoint } from '#contract/http/endpoint.ts';
import type { ErrorCode } from '#contract/http/error-code.ts';
import type { TestApp } from '../support/test-app.ts';

/** What goes into a call. `form` is sent as multipart, `body` as JSON. */
export type Sent = {
  readonly token?: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly form?: Readonly<Record<string, string | Uint8Array>>;
  readonly headers?: Readonly<Record<string, string>>;
};

export type CallCase = (app: TestApp) => Promise<Sent>;

type OwnCodes<E extends Endpoint> = Extract<E['refusals'][number], ErrorCode>;
/** Where a path names an object, the suite asks for an absent one and someone else's by itself. */
type AskedFor<E extends Endpoint> = E extends { readonly params: unknown }
  ? Exclude<OwnCodes<E>, 'not_found'>
  : OwnCodes<E>;
type Repeated<E extends Endpoint> = E extends { readonly idempotent: true } ? 'idempotency_conflict' : never;

export type CasesOfCall<E extends Endpoint> = Readonly<
  Record<'success' | AskedFor<E> | Repeated<E>, CallCase>
>;

export type CasesOf<Endpoints extends Readonly<Record<string, Endpoint>>> = {
  readonly [Name in keyof Endpoints]: CasesOfCall<Endpoints[Name]>;
};

/** The same once its endpoint is only known as data. */
export type AnyCases = Readonly<Partial<Record<'success' | ErrorCode, CallCase>>>;
