import fastify, { type FastifyError, type FastifyInstance, LogController } from 'fastify';
import { createSerializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { EVERY_ENDPOINT } from '#contract/every-endpoint.ts';
import { answerErrors, asRefused, HalfCharacter, sendRefusal } from './http/answer-errors.ts';
import { answerNotFound } from './http/answer-not-found.ts';
import { compressAnswers } from './http/compress-answers.ts';
import type { Dependencies, ServerConfig } from './http/dependencies.ts';
import { authenticateCalls } from './identity/session/authenticate.ts';
import { limitRequests } from './http/limit-requests.ts';
import { mountRooms } from './mount-rooms.ts';
import { describeApi } from './http/openapi/openapi.ts';
import { sayIssue } from './http/say-issue.ts';
import { setSecurityHeaders } from './http/security-headers.ts';
import { serveWebFiles } from './http/web-files.ts';

/** A request must arrive completely within this time. */
const REQUEST_TIMEOUT_MS = 30_000;
/** An idle connection is closed. */
const IDLE_TIMEOUT_MS = 60_000;
const BODY_BYTES_MAX = 256 * 1024;

/** The whole HTTP server, not yet listening. */
export async function createApp(dependencies: Dependencies): Promise<FastifyInstance> {
  const { config, logger } = dependencies;
  const app = fastify({
    ...(logger === false ? { logger: false } : { loggerInstance: logger }),
    logController: new LogController({ disableRequestLogging: true }),
    frameworkErrors: (error: FastifyError, _request, reply) => sendRefusal(reply, asRefused(error)),
    trustProxy: trusted(config.trustProxy),
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: IDLE_TIMEOUT_MS,
    keepAliveTimeout: IDLE_TIMEOUT_MS,
    http: { headersTimeout: REQUEST_TIMEOUT_MS },
    forceCloseConnections: 'idle',
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
  });
  z.config({ customError: sayIssue });
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(config.checksAnswers ? createSerializerCompiler() : () => JSON.stringify);
  readJson(app);
  answerErrors(app);
  await setSecurityHeaders(app, config.publicUrl);
  await limitRequests(app, config.limits);
  authenticateCalls(app, dependencies);
  await describeApi(app, config.version);
  app.addHook('onSend', async (request, reply) => {
    if (request.url.startsWith('/api/') && !reply.hasHeader('cache-control'))
      reply.header('cache-control', 'no-store');
  });
  compressAnswers(app);
  const startPage =
    config.webRoot === null ? null : await serveWebFiles(app, { ...config, webRoot: config.webRoot });
  await mountRooms(app, dependencies);
  answerNotFound(app, { endpoints: Object.values(EVERY_ENDPOINT), startPage });
  return app;
}

function trusted(proxies: ServerConfig['trustProxy']) {
  if (typeof proxies === 'number') return (_address: string, hop: number) => hop < proxies;
  return proxies === false ? false : [...proxies];
}

/** Calls without a body, such as pause, may have the JSON media type and an empty body. */
function readJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = String(body);
    if (text.length === 0 && request.routeOptions.schema?.body === undefined) return done(null, undefined);
    if (nestsDeeper(text, NESTING_MAX)) return done(new Error(`nested deeper than ${NESTING_MAX}`));
    if (holdsHalfCharacter(text)) return done(new HalfCharacter());
    return parse(request, text, done);
  });
}

/** One half of a surrogate pair, which only an escape can send: no database stores it, and no UTF-8 has it. */
function holdsHalfCharacter(text: string): boolean {
  if (!SURROGATE_ESCAPE.test(text)) return false;
  let found = false;
  try {
    JSON.parse(text, (key, value: unknown) => {
      found ||= !key.isWellFormed() || (typeof value === 'string' && !value.isWellFormed());
      return value;
    });
  } catch {
    return false;
  }
  return found;
}

const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/;

/** Strategies nest about ten deep. What is parsed by a loop may still overflow the stack of whoever walks it. */
const NESTING_MAX = 100;

/** Brackets inside of strings count too: nobody writes a hundred more of them opened than closed. */
function nestsDeeper(text: string, most: number): boolean {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const sign = text.charCodeAt(i);
    if (sign === OPEN_BRACKET || sign === OPEN_BRACE) depth += 1;
    else if (sign === CLOSE_BRACKET || sign === CLOSE_BRACE) depth -= 1;
    if (depth > most) return true;
  }
  return false;
}

const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d];
