// How a call is sent. This file stands at the end of the client that an installation hands out, as it is here: it imports nothing, and
// uses what browsers, Node, Deno and Bun all have.

export type ClientSettings = {
  /** The address of the installation. */
  readonly url: string;
  /** A personal API key. */
  readonly key: string;
  /** How often a read, or an act with an Idempotency-Key, is sent in all before the client gives up: 4 unless you say. */
  readonly attempts?: number;
  /** How long one attempt may take, in milliseconds: 60,000 unless you say. */
  readonly timeoutMs?: number;
  /** The longest wait between two attempts: what asks for a longer one is thrown. 60,000 unless you say. */
  readonly waitMsMax?: number;
  /** In place of the platform's own. */
  readonly fetch?: typeof fetch;
  /** In place of a timer. */
  readonly wait?: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
};

export type CallOptions = {
  /** Ends the call: it throws what the signal says. */
  readonly signal?: AbortSignal;
};

export type ActOptions = CallOptions & {
  /** A repeat under the same key acts once and gets the first answer. Without one the client makes one for each call. */
  readonly idempotencyKey?: string;
};

/** The API answered, and refused. `code` is from a closed list; `message` is a sentence for people. */
export class Refused<Call extends string = string, Code extends string = string> extends Error {
  override readonly name = 'Refused';
  readonly call: Call;
  readonly code: Code;
  readonly status: number;
  /** The field of the request that is wrong, where there is one. */
  readonly field: string | undefined;
  readonly details: Readonly<Record<string, unknown>>;
  /** How long to wait, where the API said so. */
  readonly retryAfterMs: number | undefined;

  constructor(call: Call, answer: RefusalAnswer) {
    super(answer.body.message);
    this.call = call;
    this.code = answer.body.code as Code;
    this.status = answer.status;
    this.field = answer.body.field;
    this.details = answer.body.details ?? {};
    this.retryAfterMs = answer.retryAfterMs;
  }
}

/** No answer came that can be read. An act may have been done: repeat it with the same `idempotencyKey`, or look. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered';
  readonly call: string;
  readonly attempts: number;
  /** Null for reads, and for acts that take none. */
  readonly idempotencyKey: string | null;

  constructor(
    call: string,
    sent: { attempts: number; idempotencyKey: string | null; isRead: boolean; cause: unknown },
  ) {
    const outcome = sent.isRead ? '' : ' It may have been done.';
    super(`${call} got no answer in ${sent.attempts} attempt${sent.attempts === 1 ? '' : 's'}.${outcome}`, {
      cause: sent.cause,
    });
    this.call = call;
    this.attempts = sent.attempts;
    this.idempotencyKey = sent.idempotencyKey;
  }
}

/** Method, path, how the answer is read, and what the call takes beyond JSON. */
type Call = {
  readonly method: string;
  readonly path: string;
  readonly answer: 'json' | 'text' | 'blob' | 'nothing' | 'response';
  readonly isForm?: true;
  readonly isIdempotent?: true;
};

type Request = ActOptions & {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
};

type RefusalAnswer = {
  readonly status: number;
  readonly body: { code: string; message: string; field?: string; details?: Record<string, unknown> };
  readonly retryAfterMs: number | undefined;
};

/** A client of the calls, one function for each: createBellwether is this with the calls of the API. */
export function clientOf(calls: Readonly<Record<string, Call>>, settings: ClientSettings): unknown {
  return Object.fromEntries(
    Object.entries(calls).map(([name, call]) => [
      name,
      (request: Request = {}) => send({ name, call, request, settings }),
    ]),
  );
}

type Sending = {
  readonly name: string;
  readonly call: Call;
  readonly request: Request;
  readonly settings: ClientSettings;
};

/** Sends until an answer counts: reads and keyed acts again after a loss, everything again that was turned away unread. */
async function send({ name, call, request, settings }: Sending): Promise<unknown> {
  const { attempts = 4, waitMsMax = 60_000, wait = sleep } = settings;
  const isRead = call.method === 'GET';
  const idempotencyKey = call.isIdempotent ? (request.idempotencyKey ?? crypto.randomUUID()) : null;
  const mayRepeat = isRead || idempotencyKey !== null;
  const prepared = prepare({ name, call, request, settings }, idempotencyKey);
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await attemptOnce(call, prepared, settings, request.signal);
    if ('answer' in outcome) return outcome.answer;
    request.signal?.throwIfAborted();
    const repeats = 'lost' in outcome ? mayRepeat : isTransient(outcome.refusal, { mayRepeat, attempt });
    const asked = 'lost' in outcome ? undefined : outcome.refusal.retryAfterMs;
    const waitMs = asked ?? Math.min(waitMsMax, 250 * 2 ** (attempt - 1) * (1 + Math.random()));
    if (!repeats || attempt >= attempts || waitMs > waitMsMax) {
      if ('refusal' in outcome) throw new Refused(name, outcome.refusal);
      throw new Unanswered(name, { attempts: attempt, idempotencyKey, isRead, cause: outcome.lost });
    }
    await wait(waitMs, request.signal);
  }
}

/** Too many requests were not read. A service that is unavailable undid what it began; a key that is in use belongs to a lost attempt of ours. */
function isTransient(
  { status, body }: RefusalAnswer,
  sent: { mayRepeat: boolean; attempt: number },
): boolean {
  if (status === 429) return true;
  if (status === 503 || status === 408) return sent.mayRepeat;
  return body.code === 'idempotency_conflict' && sent.attempt > 1;
}

type Prepared = { readonly url: URL; readonly init: RequestInit };

function prepare({ name, call, request, settings }: Sending, idempotencyKey: string | null): Prepared {
  const path = call.path.replace(/\{(\w+)\}/g, (_, parameter: string) => {
    const value = String(request.params?.[parameter] ?? '');
    // An address would swallow these, and another call would be meant.
    if (value === '' || value === '.' || value === '..')
      throw new TypeError(`${name}: the parameter ${parameter} is "${value}".`);
    return encodeURIComponent(value);
  });
  const url = new URL(path, settings.url);
  for (const [field, value] of Object.entries(request.query ?? {}))
    if (value !== undefined && value !== null) url.searchParams.set(field, String(value));
  const headers: Record<string, string> = { authorization: `Bearer ${settings.key}` };
  if (idempotencyKey !== null) headers['idempotency-key'] = idempotencyKey;
  const init: RequestInit = { method: call.method, headers, redirect: 'error' };
  if (call.isForm) init.body = formOf(request.body as Readonly<Record<string, unknown>>);
  else if (request.body !== undefined) {
    headers['content-type'] = 'application/json';
    init.body = JSON.stringify(request.body);
  }
  return { url, init };
}

function formOf(fields: Readonly<Record<string, unknown>>): FormData {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields))
    if (value !== undefined) form.append(field, value instanceof Blob ? value : String(value));
  return form;
}

type Outcome =
  | { readonly answer: unknown }
  | { readonly refusal: RefusalAnswer }
  | { readonly lost: unknown };

async function attemptOnce(
  call: Call,
  { url, init }: Prepared,
  { timeoutMs = 60_000, fetch: request = fetch }: ClientSettings,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  const ends = call.answer === 'response' ? [] : [AbortSignal.timeout(timeoutMs)];
  if (signal) ends.push(signal);
  try {
    const response = await request(url, { ...init, signal: AbortSignal.any(ends) });
    return response.ok ? { answer: await read(response, call.answer) } : await readRefusal(response);
  } catch (lost) {
    return { lost };
  }
}

async function read(response: Response, answer: Call['answer']): Promise<unknown> {
  if (answer === 'response') return response;
  if (answer === 'json') return (await response.json()) as unknown;
  if (answer === 'text') return response.text();
  if (answer === 'blob') return response.blob();
  await response.body?.cancel();
  return undefined;
}

/** What is no refusal of the API, such as the page of a proxy, is no answer. */
async function readRefusal(response: Response): Promise<Outcome> {
  const text = await response.text();
  try {
    const body = JSON.parse(text) as RefusalAnswer['body'] | null;
    if (typeof body?.code !== 'string' || typeof body.message !== 'string') throw new TypeError('no refusal');
    return { refusal: { status: response.status, body, retryAfterMs: retryAfterOf(response) } };
  } catch {
    return { lost: new Error(`status ${response.status} without a refusal of the API`) };
  }
}

function retryAfterOf(response: Response): number | undefined {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined;
}

function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/** What a webhook delivers. */
export type WebhookEvent = {
  /** The kind of the notification; further kinds may come. `test` is one that was asked for. */
  readonly type: string;
  /** Real time. */
  readonly timestamp: string;
  readonly data: {
    readonly notification?: string;
    readonly title?: string;
    readonly message?: string;
    readonly deployment?: string | null;
    /** Market time. */
    readonly created_at?: string;
  };
};

export type WebhookDelivered = {
  /** As the webhook's secret was shown, with whsec_. */
  readonly secret: string;
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The body as it came, before anything parsed it. */
  readonly body: string;
  /** Real time in milliseconds; the machine's own unless you say. */
  readonly nowMs?: number;
};

/** The event, when the delivery is from this installation and at most five minutes old; else null. Take each webhook-id once. */
export async function readWebhook({
  secret,
  headers,
  body,
  nowMs,
}: WebhookDelivered): Promise<WebhookEvent | null> {
  const [id, at, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headers instanceof Headers ? headers.get(name) : headers[name],
  );
  if (typeof id !== 'string' || typeof at !== 'string' || typeof signatures !== 'string') return null;
  const age = Math.abs((nowMs ?? Date.now()) / 1000 - Number(at));
  if (!(age <= 300)) return null;
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytesOf(secret.replace('whsec_', '')), algorithm, false, [
    'verify',
  ]);
  const signed = new TextEncoder().encode(`${id}.${at}.${body}`);
  for (const signature of signatures.split(' ')) {
    if (!signature.startsWith('v1,')) continue;
    const given = bytesOf(signature.slice(3));
    if (await crypto.subtle.verify(algorithm, key, given, signed)) return JSON.parse(body) as WebhookEvent;
  }
  return null;
}

/** Empty where it is no base64: no signature is. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}
