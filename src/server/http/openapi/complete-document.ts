import type { Endpoint } from '#contract/http/endpoint.ts';
import { ERROR_CODES, type ErrorCode } from '#contract/http/error-code.ts';
import { EVERY_ENDPOINT, type EndpointName } from '#contract/every-endpoint.ts';
import { COMMON_REFUSALS } from '#contract/examples/common-refusals.ts';
import { EVERY_EXAMPLE, type Example } from '#contract/examples/every-example.ts';
import { refusalCodes } from '#contract/http/refusal-codes.ts';

type Media = { schema?: unknown; examples?: Record<string, { summary?: string; value: unknown }> };
type Content = Record<string, Media>;
type Response = { description: string; headers?: Record<string, unknown>; content?: Content };
type Parameter = {
  name: string;
  in: string;
  description?: string;
  schema?: { description?: string };
  example?: unknown;
};
type Operation = {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, Response>;
};
export type ApiDocument = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, unknown> };
};

/** Adds what the call schemas cannot express: examples, the meaning of each refusal, headers; drops unused schemas. */
export function completeDocument(document: ApiDocument): ApiDocument {
  for (const operations of Object.values(document.paths)) {
    for (const operation of Object.values(operations)) {
      const name = operation.operationId as EndpointName;
      complete(operation, EVERY_ENDPOINT[name], EVERY_EXAMPLE[name] ?? { refusals: {} });
    }
  }
  return { ...document, components: { ...document.components, schemas: usedSchemas(document) } };
}

function complete(operation: Operation, endpoint: Endpoint, example: Example): void {
  for (const parameter of operation.parameters ?? []) {
    const description = parameter.description ?? parameter.schema?.description;
    if (description !== undefined) parameter.description = description;
    const value = (parameter.in === 'path' ? example.params : example.query)?.[parameter.name];
    if (value !== undefined) parameter.example = value;
    else if (parameter.in === 'header') parameter.example = IDEMPOTENCY_KEY;
    else if (parameter.name === 'link') parameter.example = LINK_SECRET;
  }
  for (const media of Object.values(operation.requestBody?.content ?? {}))
    media.examples = { usual: { value: example.body } };
  for (const [status, response] of Object.entries(operation.responses)) {
    if (Number(status) < 300) describeSuccess(response, endpoint, example);
    else describeRefusals(response, Number(status), endpoint, example);
  }
}

const IDEMPOTENCY_KEY = '0f8fad5b-d9cb-469f-a165-70867728950e';

function describeSuccess(response: Response, endpoint: Endpoint, example: Example): void {
  response.description = endpoint.status === 204 ? 'Success, without a body.' : 'Success.';
  for (const media of Object.values(response.content ?? {}))
    media.examples = { usual: { value: example.answer } };
}

function describeRefusals(response: Response, status: number, endpoint: Endpoint, example: Example): void {
  const codes = refusalCodes(endpoint).filter((code) => ERROR_CODES[code].status === status);
  response.description = codes.map((code) => `${code}: ${ERROR_CODES[code].meaning}`).join(' ');
  const json: NonNullable<Media['examples']> = {};
  const page: NonNullable<Media['examples']> = {};
  for (const code of codes) {
    const value = exampleOf(code, example);
    const examples = typeof value === 'string' ? page : json;
    examples[code] = { summary: ERROR_CODES[code].meaning, value };
  }
  const content = (response.content ??= {});
  for (const media of Object.values(content)) media.examples = json;
  if (Object.keys(page).length > 0) content['text/html'] = { schema: { type: 'string' }, examples: page };
  if (status === 429 || status === 503) response.headers = { 'Retry-After': RETRY_AFTER };
  if (status === 401) response.headers = { 'WWW-Authenticate': { schema: { const: 'Bearer' } } };
}

function exampleOf(code: ErrorCode, example: Example): unknown {
  return example.refusals[code] ?? COMMON_REFUSALS[code];
}

const LINK_SECRET = 'Jq3vY0c2T5oW8rN1sB7uE4xZ6aD9gH0kL2mP5tQ8wR1';

const RETRY_AFTER = { description: 'Seconds until you may try again.', schema: { type: 'integer' } };

/** The schemas that the paths name, and those that these name. */
function usedSchemas({ paths, components }: ApiDocument): Record<string, unknown> {
  const used = new Set<string>();
  const visit = (part: unknown): void => {
    const names = JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g);
    for (const [, name = ''] of names) {
      if (used.has(name)) continue;
      used.add(name);
      visit(components.schemas[name]);
    }
  };
  visit(paths);
  return Object.fromEntries(Object.entries(components.schemas).filter(([name]) => used.has(name)));
}
