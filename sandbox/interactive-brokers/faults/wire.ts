// The faults of the wire, between the network and the handlers: answers lost, late, refused or spoiled.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Instant } from '#units/instant.ts';
import type { Sessions } from '../session/sessions.ts';
import type { FaultPlan } from './fault-plan.ts';
import type { Fault } from './fault-script.ts';
import { accountIn, occasionOf } from './occasion.ts';
import { createRequestLimits } from './request-limits.ts';
import { isResetAt } from './resets.ts';
import { spoilAnswer } from './spoil-answer.ts';

export type FaultsOf = (request: FastifyRequest) => readonly Fault[];

/** Hooks every call of `api`; returns what else the handlers must do for a request. */
export function mountFaults(
  api: FastifyInstance,
  tools: {
    readonly plan: FaultPlan;
    readonly sessions: Sessions;
    readonly now: () => Instant;
    readonly realNow: () => number;
    readonly sleep: (ms: number) => Promise<void>;
    /** Applies a fault of the books to the owner of an account, or to all persons. */
    readonly happen: (fault: Fault, account: string | null) => void;
  },
): FaultsOf {
  const { plan, sessions, now, realNow, sleep, happen } = tools;
  const chosen = new WeakMap<FastifyRequest, readonly Fault[]>();
  const limits = createRequestLimits(realNow);
  const held = new Set<FastifyReply>();
  let outage = { untilMs: 0, status: 503 };
  let boxedUntilMs = 0;
  let last = plan.script;

  const turnAway = (request: FastifyRequest, reply: FastifyReply): FastifyReply | null => {
    if (last !== plan.script) {
      last = plan.script;
      outage = { untilMs: 0, status: 503 };
      boxedUntilMs = 0;
      limits.clear();
    }
    if (realNow() < boxedUntilMs) return reply.code(429).send(TOO_MANY);
    if (realNow() < outage.untilMs) return reply.code(outage.status).send(UNAVAILABLE);
    if (plan.script.resets && isResetAt(now())) {
      sessions.endTrading();
      if (!PORTFOLIO.test(request.url)) return reply.code(503).send(UNAVAILABLE);
    }
    if (plan.script.limits && limits.isTooFast(request)) {
      boxedUntilMs = realNow() + BOX_MS;
      return reply.code(429).send(TOO_MANY);
    }
    return null;
  };

  api.addHook('onRequest', async (request, reply) => {
    const away = turnAway(request, reply);
    if (away) return away;
    const account = accountIn(request.url);
    const faults = plan.faultsOn(occasionOf(request.method, request.url), now(), account);
    if (faults.length === 0) return undefined;
    chosen.set(request, faults);
    for (const fault of faults) {
      happen(fault, account);
      if (fault.kind === 'slow') await sleep(fault.ms);
      if (fault.kind === 'lost' && fault.when === 'before')
        return loseUnread(request, reply, fault.how, held);
      if (fault.kind === 'status') return reply.code(fault.status).type('application/json').send(fault.body);
      if (fault.kind === 'outage') {
        outage = { untilMs: realNow() + fault.seconds * 1_000, status: fault.status };
        return reply.code(fault.status).send(UNAVAILABLE);
      }
      if (fault.kind === 'penalty_box') {
        boxedUntilMs = realNow() + fault.seconds * 1_000;
        return reply.code(429).send(TOO_MANY);
      }
    }
    return undefined;
  });

  api.addHook('onSend', async (request, reply, payload) => {
    let sent = payload;
    for (const fault of chosen.get(request) ?? []) {
      if (fault.kind === 'lost' && fault.when === 'after') {
        return loseAnswer(request, reply, fault.how, held);
      }
      if (typeof sent !== 'string' || reply.statusCode !== 200) continue;
      const spoiled = spoilAnswer(sent, fault, plan.draw);
      if (spoiled === null) continue;
      sent = spoiled;
      reply.removeHeader('content-length');
      if (fault.kind === 'html') reply.type('text/html');
    }
    return sent;
  });
  api.addHook('preClose', (done) => {
    for (const reply of held) reply.raw.destroy();
    done();
  });
  return (request) => chosen.get(request) ?? [];
}

/** Ends an exchange before anything has read it. A header signals this to a caller without a socket. */
async function loseUnread(
  request: FastifyRequest,
  reply: FastifyReply,
  how: 'close' | 'silence',
  held: Set<FastifyReply>,
): Promise<FastifyReply> {
  if (isInProcess(request)) return reply.code(599).header(LOST, how).send('');
  await endSocket(reply, how, held);
  return reply.hijack();
}

/** Ends an exchange whose answer is ready. */
async function loseAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  how: 'close' | 'silence',
  held: Set<FastifyReply>,
): Promise<string> {
  if (isInProcess(request)) reply.code(599).header(LOST, how).removeHeader('content-length');
  else await endSocket(reply, how, held);
  return '';
}

async function endSocket(reply: FastifyReply, how: 'close' | 'silence', held: Set<FastifyReply>) {
  if (how === 'close') return void reply.raw.destroy();
  held.add(reply);
  await new Promise<void>((closed) => reply.raw.once('close', closed));
  held.delete(reply);
}

function isInProcess(request: FastifyRequest): boolean {
  return request.headers[IN_PROCESS] !== undefined;
}

/** Marks a caller in this process, which has no socket to close. */
export const IN_PROCESS = 'x-in-process';
export const LOST = 'x-lost';

const UNAVAILABLE = { error: 'Service Unavailable', statusCode: 503 };
const TOO_MANY = { error: 'Too Many Requests', statusCode: 429 };
/** Served by other machines, which the interruption does not touch. */
const PORTFOLIO = /\/portfolio2?\//;
const BOX_MS = 600_000;
