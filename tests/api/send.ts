// Puts what a case sends into the form of a request, and sends it over a socket or straight into a server.
import type { FastifyInstance, InjectOptions } from 'fastify';
import type { Endpoint } from '#contract/http/endpoint.ts';
import type { Sent } from './call-case.ts';

export type Prepared = {
  readonly method: Endpoint['method'];
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly payload?: string | Buffer;
};

export type Answered = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The code of a refusal; 'success' for an answer, 'page' for a refusal that is a page. */
  readonly said: string;
};

export async function prepare(endpoint: Endpoint, sent: Sent): Promise<Prepared> {
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => sent.params?.[name] ?? name);
  const query = new URLSearchParams(sent.query).toString();
  const headers: Record<string, string> = {
    ...(sent.token === undefined ? {} : { authorization: `Bearer ${sent.token}` }),
    ...sent.headers,
  };
  const base = { method: endpoint.method, url: query === '' ? path : `${path}?${query}` };
  if (sent.form) {
    const { payload, contentType } = await multipart(sent.form);
    return { ...base, headers: { ...headers, 'content-type': contentType }, payload };
  }
  if (sent.body === undefined) return { ...base, headers };
  return {
    ...base,
    headers: { ...headers, 'content-type': 'application/json' },
    payload: JSON.stringify(sent.body),
  };
}

async function multipart(fields: NonNullable<Sent['form']>) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') form.set(name, value);
    else form.set(name, new File([new Uint8Array(value)], 'picture.png'));
  }
  const encoded = new Response(form);
  return {
    payload: Buffer.from(await encoded.arrayBuffer()),
    contentType: encoded.headers.get('content-type')!,
  };
}

/** As a browser would; of a stream only the beginning is read. */
export async function sendOverSocket(base: string, prepared: Prepared): Promise<Answered> {
  const ended = new AbortController();
  const response = await fetch(base + prepared.url, {
    method: prepared.method,
    headers: prepared.headers,
    body: prepared.payload === undefined ? null : new Uint8Array(Buffer.from(prepared.payload)),
    signal: ended.signal,
  });
  const headers = Object.fromEntries(response.headers);
  const isStream = headers['content-type']?.startsWith('text/event-stream') ?? false;
  const text = isStream ? await beginning(response) : await response.text();
  ended.abort();
  return answered(response.status, headers, text);
}

async function beginning(response: Response): Promise<string> {
  const { value } = await response.body!.getReader().read();
  return new TextDecoder().decode(value);
}

export async function sendTo(
  app: FastifyInstance,
  prepared: Prepared & Pick<InjectOptions, 'remoteAddress'>,
): Promise<Answered> {
  const answer = await app.inject(prepared);
  return answered(answer.statusCode, answer.headers as Record<string, string>, answer.body);
}

function answered(status: number, headers: Record<string, string>, text: string): Answered {
  const isJson = headers['content-type']?.includes('json') ?? false;
  const said = status < 400 ? 'success' : isJson ? (JSON.parse(text) as { code: string }).code : 'page';
  return { status, headers, text, said };
}
