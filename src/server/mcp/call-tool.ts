import type { FastifyInstance, InjectOptions } from 'fastify';
import type { Endpoint } from '#contract/http/endpoint.ts';
import type { Refusal } from '#contract/http/error-code.ts';
import { type AgentTool, IDEMPOTENCY_KEY } from './tools.ts';
import { asUntrusted } from './untrusted-data.ts';

export type ToolCaller = {
  /** Our own API. */
  readonly app: FastifyInstance;
  readonly secret: string;
  /** From where the agent asks. */
  readonly address: string;
};

export type ToolResult = {
  content: { type: 'text'; text: string }[];
  isError?: boolean;
};

type Asked = { readonly name: string; readonly given: Readonly<Record<string, unknown>> };

/** A refusal of the API is the answer, in its own words. */
export async function callTool(
  tools: readonly AgentTool[],
  { name, given }: Asked,
  { app, secret, address }: ToolCaller,
): Promise<ToolResult> {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined)
    return refused({ code: 'not_found', message: 'This API key has no tool of this name.' });
  const request = requestOf(tool.endpoint, given);
  if ('code' in request) return refused(request);
  const answer = await app.inject({
    ...request,
    remoteAddress: address,
    headers: { ...request.headers, authorization: `Bearer ${secret}` },
  });
  const body = answer.body === '' ? null : (JSON.parse(answer.body) as unknown);
  return answer.statusCode < 400
    ? { content: [{ type: 'text', text: asUntrusted(body) }] }
    : refused(body as Refusal);
}

function refused(refusal: Refusal): ToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(refusal) }], isError: true };
}

/** What a tool is given, put where the call of the API has it. */
function requestOf(
  { method, path, params, query, body }: Endpoint,
  given: Readonly<Record<string, unknown>>,
): (InjectOptions & { headers: Record<string, string> }) | Refusal {
  const rest = new Map(Object.entries(given));
  const take = (name: string) => {
    const value = rest.get(name);
    rest.delete(name);
    return value;
  };
  let url = path;
  for (const name of Object.keys(params?.shape ?? {})) {
    const value = take(name);
    // Nothing that an address would read otherwise, such as two dots.
    if (typeof value !== 'string' || !/^[\w-]{1,100}$/.test(value))
      return {
        code: 'invalid_field',
        message: 'Give an id as a list or another answer names it.',
        field: name,
      };
    url = url.replace(`{${name}}`, value);
  }
  const search = new URLSearchParams();
  for (const name of Object.keys(query?.shape ?? {})) {
    const value = take(name);
    if (value !== undefined && value !== null) search.set(name, String(value));
  }
  const key = take(IDEMPOTENCY_KEY);
  const headers: Record<string, string> = {};
  if (key !== undefined) {
    // A header takes no line breaks.
    if (typeof key !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(key))
      return { code: 'invalid_field', message: 'Give up to 200 plain characters.', field: IDEMPOTENCY_KEY };
    headers['idempotency-key'] = key;
  }
  if (body === undefined && rest.size > 0)
    return { code: 'invalid_field', message: `Unknown field: ${[...rest.keys()].join(', ').slice(0, 200)}` };
  return {
    method,
    url: search.size === 0 ? url : `${url}?${search}`,
    headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
    ...(body !== undefined && { payload: JSON.stringify(Object.fromEntries(rest)) }),
  };
}
