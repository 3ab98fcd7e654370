import { z } from 'zod';
import type { Endpoint } from '#contract/http/endpoint.ts';
import { ERROR_CODES, type ErrorCode } from '#contract/http/error-code.ts';
import { refusalCodes } from '#contract/http/refusal-codes.ts';

/** The schema of one call, for Fastify's validation and the OpenAPI document, with every status it can return. */
export function describeEndpoint(name: string, endpoint: Endpoint): Record<string, unknown> {
  const { params, body } = endpoint;
  const query = endpoint.opensByLink ? (endpoint.query ?? z.object({})).extend({ link }) : endpoint.query;
  return {
    operationId: name,
    tags: [endpoint.room],
    summary: endpoint.summary,
    ...(endpoint.description !== undefined && { description: endpoint.description }),
    security: SECURITY[endpoint.security],
    ...(endpoint.form && { consumes: ['multipart/form-data'] }),
    ...(params && { params }),
    ...(query && { querystring: query }),
    ...(body && { body }),
    ...(endpoint.idempotent && { headers: idempotencyHeader }),
    response: { [endpoint.status]: success(endpoint), ...refusals(endpoint) },
  };
}

const link = z
  .string()
  .min(1)
  .max(100)
  .optional()
  .describe('The secret of a link of createDownloadLink, in place of the access token.');

const SECURITY = { bearer: [{ bearer: [] }], optional: [{ bearer: [] }, {}], open: [] } as const;

const idempotencyHeader = z.looseObject({
  'idempotency-key': z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Repeating a request with the same key and body acts once and returns the same answer.'),
});

const refusal = z
  .object({
    code: z.enum(Object.keys(ERROR_CODES) as [ErrorCode, ...ErrorCode[]]),
    message: z.string(),
    field: z.string().optional(),
    details: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'Refusal' });

function success(endpoint: Endpoint): unknown {
  if (endpoint.status === 204) return z.null().describe('Done');
  if (endpoint.media === undefined) return endpoint.answer;
  return { description: endpoint.summary, content: { [endpoint.media]: { schema: endpoint.answer } } };
}

function refusals(endpoint: Endpoint): Record<number, unknown> {
  const statuses = refusalCodes(endpoint).map((code) => ERROR_CODES[code].status);
  return Object.fromEntries(statuses.map((status) => [status, refusal]));
}
