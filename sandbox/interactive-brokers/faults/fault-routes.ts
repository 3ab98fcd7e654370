// Reading and setting the fault script, from this machine only.
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { type Instant, isoText } from '#units/instant.ts';
import type { FaultPlan } from './fault-plan.ts';
import { FAULT_SCRIPT } from './fault-script.ts';

export function faultRoutes(app: FastifyInstance, plan: FaultPlan, now: () => Instant): void {
  const state = () => ({
    script: {
      ...plan.script,
      rules: plan.script.rules.map(({ at, ...rule }) =>
        at === undefined ? rule : { ...rule, at: isoText(at) },
      ),
    },
    happened: plan.journal.map(({ at, rule, fault }) => ({ at: isoText(at), rule, fault })),
  });
  app.addHook('onRequest', (request, reply, done) => {
    const isForeign = !LOOPBACK.test(request.ip) && request.url.startsWith('/sandbox/faults');
    if (!isForeign) return done();
    return reply
      .code(403)
      .send({ code: 'forbidden', message: 'Faults are scripted from this machine only.' });
  });
  app.get('/sandbox/faults', state);
  app.post('/sandbox/faults', (request, reply) => {
    const asked = FAULT_SCRIPT.safeParse(request.body ?? {});
    if (!asked.success)
      return reply.code(400).send({ code: 'malformed', message: z.prettifyError(asked.error) });
    plan.set(asked.data, now());
    return state();
  });
}

const LOOPBACK = /^(::ffff:)?127\.|^::1$/;
