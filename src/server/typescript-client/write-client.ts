// A client of the API as one file of TypeScript, made from the contract: the types of every call, and how it is sent.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { type EndpointName, EVERY_ENDPOINT } from '#contract/every-endpoint.ts';
import type { Endpoint } from '#contract/http/endpoint.ts';
import { ERROR_CODES } from '#contract/http/error-code.ts';
import { KEY_USE_OF, keyMay } from '#contract/http/key-policies.ts';
import { refusalCodes } from '#contract/http/refusal-codes.ts';
import { comment, type Schema, writeType } from './write-types.ts';

const ENDPOINTS = Object.entries(EVERY_ENDPOINT) as unknown as readonly (readonly [EndpointName, Endpoint])[];

export function writeClient({ url, version }: { readonly url: string; readonly version: string }): string {
  const schemas = new Map<string, string>();
  const methods = ENDPOINTS.map(([name, endpoint]) => writeMethod(name, endpoint, schemas));
  const types = [...schemas]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, type]) => `export type ${name} = ${type};`);
  return `// Client of the Bellwether API, version ${version}, for TypeScript. Written by ${url}; fetch it again after an update.
/* eslint-disable */

/** A client with your personal API key. */
export function createBellwether(settings: Omit<ClientSettings, 'url'> & { readonly url?: string }): Bellwether {
  return clientOf(CALLS, { url: ${JSON.stringify(url)}, ...settings }) as Bellwether;
}

/** Whether a call was refused, for a reason that this call can have. */
export function isRefused<Call extends CallName>(error: unknown, call: Call): error is Refused<Call, RefusalsOf[Call]> {
  return error instanceof Refused && error.call === call;
}

/** Every call, under the name that the description of the API gives it. Each throws Refused or Unanswered. */
export interface Bellwether {
${methods.join('\n')}
}

export type CallName = keyof Bellwether;

/** What a refusal can say. */
export type RefusalCode = keyof typeof REFUSALS;

/** Each code with what it means. */
export const REFUSALS = {
${Object.entries(ERROR_CODES)
  .map(([code, { meaning }]) => `  ${code}: ${JSON.stringify(meaning)},`)
  .join('\n')}
} as const;

/** The codes that each call can refuse with. */
export type RefusalsOf = {
${ENDPOINTS.map(([name, endpoint]) => `  ${name}: ${quoted(refusalCodes(endpoint)).join(' | ')};`).join('\n')}
};

${types.join('\n')}

const CALLS: Readonly<Record<CallName, Call>> = {
${ENDPOINTS.map(([name, endpoint]) => `  ${name}: ${JSON.stringify(sentAs(endpoint))},`).join('\n')}
};

${RUNTIME}`;
}

const RUNTIME = readFileSync(path.join(import.meta.dirname, 'client-runtime.ts'), 'utf8').replace(
  /^(\/\/.*\n)+\n/,
  '',
);

function writeMethod(name: EndpointName, endpoint: Endpoint, schemas: Map<string, string>): string {
  const { params, query, body, idempotent } = endpoint;
  const options = idempotent ? 'ActOptions' : 'CallOptions';
  const parts = Object.entries({ params, query, body }).flatMap(([part, schema]) =>
    schema === undefined ? [] : [partOf(part, described(schema, 'input', schemas), schema)],
  );
  const request =
    parts.length === 0 ? options : `${options} & { ${parts.map(({ text }) => text).join(' ')} }`;
  const mark = parts.some(({ isRequired }) => isRequired) ? '' : '?';
  return `${documentation(name, endpoint)}
  ${name}(request${mark}: ${request}): Promise<${answerOf(endpoint, schemas)}>;`;
}

/** A query, or a body, of which nothing must be said may be left out. */
function partOf(part: string, type: string, schema: z.ZodType): { text: string; isRequired: boolean } {
  const isRequired = !schema.safeParse({}).success;
  return { text: `${part}${isRequired ? '' : '?'}: ${type};`, isRequired };
}

function documentation(name: EndpointName, endpoint: Endpoint): string {
  const lines = [
    `${endpoint.summary}.`,
    ...(endpoint.description === undefined ? [] : [endpoint.description]),
    `${endpoint.method} ${endpoint.path}. ${NEEDS[keyMay(name) ? KEY_USE_OF[name] : 'never']}`,
  ];
  return `  ${comment(lines.join('\n   *\n   * ')).trimEnd()}`;
}

const NEEDS: Readonly<Record<(typeof KEY_USE_OF)[EndpointName], string>> = {
  read: 'A key with the scope read.',
  practice: 'A key with the scope practice.',
  trade: 'A key with the scope trade; it waits for its owner.',
  steer: 'A key with the scope practice for a practice deployment, trade for a real one.',
  never: 'No key may.',
};

function answerOf({ status, media, answer }: Endpoint, schemas: Map<string, string>): string {
  if (status === 204) return 'void';
  return {
    json: described(answer, 'output', schemas),
    text: 'string',
    blob: 'Blob',
    response: 'Response',
    nothing: 'void',
  }[readAs({ status, media })];
}

function sentAs({ method, path: address, status, media, form, idempotent }: Endpoint): object {
  const answer = readAs({ status, media });
  return {
    method,
    path: address,
    answer,
    ...(form && { isForm: true }),
    ...(idempotent && { isIdempotent: true }),
  };
}

function readAs({ status, media }: Pick<Endpoint, 'status' | 'media'>) {
  if (status === 204) return 'nothing';
  if (media === undefined || media === 'application/json') return 'json';
  if (media === 'text/event-stream') return 'response';
  return media.startsWith('text/') ? 'text' : 'blob';
}

/** Its type; the schemas that it names are written once for all calls. */
function described(schema: z.ZodType, io: 'input' | 'output', schemas: Map<string, string>): string {
  const { $defs = {}, ...made } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    reused: 'inline',
  }) as Schema;
  for (const [name, definition] of Object.entries($defs)) {
    const type = writeType(definition);
    if ((schemas.get(name) ?? type) !== type) throw new Error(`${name} stands for two things`);
    schemas.set(name, type);
  }
  return writeType(made);
}

function quoted(values: readonly string[]): string[] {
  return values.map((value) => JSON.stringify(value));
}
