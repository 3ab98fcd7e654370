// The brokerage without a network, for simulations that take thousands of steps: the same app and the same checks,
// spoken to through a function with the shape of fetch.
import Fastify, { type FastifyInstance } from 'fastify';
import {
  type Brokerage,
  type BrokerageSettings,
  mountBrokerage,
} from '#sandbox/interactive-brokers/brokerage.ts';
import { IN_PROCESS, LOST } from '#sandbox/interactive-brokers/faults/wire.ts';

export type InProcessBrokerage = Brokerage & {
  readonly app: FastifyInstance;
  /** Any http address will do; its host is what a client signs. A lost answer rejects as a broken connection does. */
  readonly fetch: typeof globalThis.fetch;
};

export async function createBrokerage(settings: BrokerageSettings): Promise<InProcessBrokerage> {
  const app = Fastify({ logger: false, bodyLimit: 262_144 });
  const brokerage = mountBrokerage(app, settings);
  await app.ready();
  return { ...brokerage, app, fetch: fetchOf(app), close: () => brokerage.close() };
}

function fetchOf(app: FastifyInstance): typeof globalThis.fetch {
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const answer = await app.inject({
      method: (init.method ?? 'GET') as 'GET' | 'POST' | 'DELETE',
      url: url.pathname + url.search,
      headers: {
        ...Object.fromEntries(new Headers(init.headers).entries()),
        host: url.host,
        [IN_PROCESS]: '1',
      },
      ...(init.body === undefined || init.body === null ? {} : { payload: String(init.body) }),
    });
    const lost = answer.headers[LOST];
    if (lost === 'close')
      throw new TypeError('fetch failed', {
        cause: Object.assign(new Error('closed'), { code: 'ECONNRESET' }),
      });
    if (lost !== undefined)
      throw new DOMException('The operation was aborted due to timeout', 'TimeoutError');
    const type = String(answer.headers['content-type'] ?? '');
    return new Response(answer.body, { status: answer.statusCode, headers: { 'content-type': type } });
  };
}
