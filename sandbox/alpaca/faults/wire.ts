// The faults of the wire at the stand-in for Alpaca: answers lost, late, refused or spoiled.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { FaultPlan } from './fault-plan.ts';
import type { Fault, Occasion } from './fault-script.ts';
import { TOO_MANY } from './request-limit.ts';
import { spoilAnswer } from './spoil-answer.ts';

export function mountFaults(
  app: FastifyInstance,
  plan: FaultPlan,
  sleep: (ms: number) => Promise<void>,
): void {
  const chosen = new WeakMap<FastifyRequest, readonly Fault[]>();

  app.addHook('onRequest', async (request, reply) => {
    const faults = plan.faultsOn(occasionOf(request.method, request.url));
    chosen.set(request, faults);
    for (const fault of faults) {
      if (fault.kind === 'slow') await sleep(fault.ms);
      if (fault.kind === 'lost' && fault.when === 'before') {
        request.raw.socket.destroy();
        return reply.hijack();
      }
      if (fault.kind === 'too_many') return reply.code(429).send(TOO_MANY);
      if (fault.kind === 'status') return reply.code(fault.status).type('application/json').send(fault.body);
    }
    return undefined;
  });

  app.addHook('onSend', async (request, reply, payload) => {
    let sent = payload;
    for (const fault of chosen.get(request) ?? []) {
      if (fault.kind === 'lost' && fault.when === 'after') request.raw.socket.destroy();
      if (typeof sent !== 'string' || reply.statusCode !== 200) continue;
      const spoiled = spoilAnswer(sent, fault);
      if (spoiled === null) continue;
      sent = spoiled;
      reply.removeHeader('content-length');
    }
    return sent;
  });
}

function occasionOf(method: string, path: string): Occasion {
  return (
    PATHS.find(([, pattern, wanted]) => pattern.test(path) && (wanted ?? method) === method)?.[0] ?? 'any'
  );
}

const PATHS: readonly (readonly [Occasion, RegExp, string?])[] = [
  ['submit', /^\/v2\/orders(\?|$)/, 'POST'],
  ['orders', /^\/v2\/orders(\?|$)/, 'GET'],
  ['cancel', /^\/v2\/orders\//, 'DELETE'],
  ['order', /^\/v2\/orders[/:]/, 'GET'],
  ['fills', /^\/v2\/account\/activities\/FILL/],
  ['activities', /^\/v2\/account\/activities/],
  ['account', /^\/v2\/account/],
  ['positions', /^\/v2\/positions/],
  ['token', /^\/oauth\//],
  ['prices', /^\/(v2\/stocks|v1beta3\/crypto)\//],
  ['reference', /^\/(v2\/(assets|calendar|clock)|v1\/corporate-actions)/],
];
