import fastify, { type FastifyError, type FastifyInstance, LogController } from 'fastify';
import { createSerializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { EVERY_ENDPOINT } from '#contract/every-endpoint.ts';
import { answerErrors, asRefused, sendRefusal } from './http/answer-errors.ts';
import { answerNotFound } from './http/answer-not-found.ts';
import { compressAnswers } from './http/compress-answers.ts';
import type { Dependencies, ServerConfig } from './http/dependencies.ts';
import { authenticateCalls } from './identity/session/authenticate.ts';
import { authorizeCalls } from './identity/session/authorize.ts';
import { textOf } from './http/kept-text.ts';
import { limitRequests } from './http/limit-requests.ts';
import { readJson } from './http/read-json.ts';
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
    // A request that is not logged needs no logger of its own.
    childLoggerFactory: (shared) => shared,
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
  app.setSerializerCompiler(config.checksAnswers ? createSerializerCompiler() : () => textOf);
  readJson(app);
  answerErrors(app);
  await setSecurityHeaders(app, config.publicUrl);
  authenticateCalls(app, dependencies);
  limitRequests(app, config.limits, dependencies.now);
  authorizeCalls(app, dependencies);
  await describeApi(app, config.version);
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
