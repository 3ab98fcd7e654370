import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DeploymentId, OrderId } from '#units/identifiers.ts';
import { wallInstant } from '#units/wall-instant.ts';
import { openOrder } from '#tests/support/engine/open-order.ts';
import { nextTry } from '../back-off.ts';
import { endStatus } from './order-reason.ts';
import { QUESTION_TOPICS } from './question-topic.ts';
import {
  applySubmitAnswer,
  areChecksValid,
  type SubmitAnswer,
  submitTurns,
  submitUpdate,
} from './submit-result.ts';

const said = fc.string();
const answers: fc.Arbitrary<SubmitAnswer> = fc.oneof(
  fc.record({ outcome: fc.constant('accepted' as const), brokerOrderId: fc.string({ minLength: 1 }) }),
  fc.record({ outcome: fc.constant('rejected' as const), said }),
  fc.record({
    outcome: fc.constant('not_confirmed' as const),
    topic: fc.constantFrom(...QUESTION_TOPICS),
    question: fc.string(),
  }),
  fc.record({
    outcome: fc.constant('not_sent' as const),
    code: fc.constantFrom('unreachable', 'rate_limited', 'checks_expired'),
    said,
  }),
  fc.record({ outcome: fc.constant('unknown' as const) }),
);

describe('an answer', () => {
  it('lets an order be sent again only where nothing left', () => {
    fc.assert(
      fc.property(answers, (answer) => {
        const next = applySubmitAnswer(answer, { wasSent: false });
        const isSentAgain = next.type === 'change' && next.status === 'intended';
        expect(isSentAgain).toBe(answer.outcome === 'not_sent');
        expect(next.type === 'end').toBe(['rejected', 'not_confirmed'].includes(answer.outcome));
      }),
    );
  });

  it('that is unclear puts the order in quarantine', () => {
    expect(applySubmitAnswer({ outcome: 'unknown' }, { wasSent: false })).toMatchObject({
      status: 'unknown',
      reason: { code: 'no_answer' },
    });
  });

  it('that is a question ends the order as rejected, with the question', () => {
    const asked = { outcome: 'not_confirmed', topic: 'value', question: 'Submit it anyway?' } as const;
    const next = applySubmitAnswer(asked, { wasSent: false });
    const reason = { code: 'not_confirmed', topic: 'value', question: 'Submit it anyway?' };
    expect(next).toEqual({ type: 'end', reason });
    expect(next.type === 'end' && endStatus(next.reason)).toBe('rejected');
  });

  it('that refuses an order which left before leaves it in quarantine, in whatever words: it may be a repeat', () => {
    const refused = { outcome: 'rejected', said: 'Die Order-ID ist bereits vergeben' } as const;
    expect(applySubmitAnswer(refused, { wasSent: true })).toMatchObject({ status: 'unknown' });
    expect(applySubmitAnswer(refused, { wasSent: false })).toMatchObject({ type: 'end' });
  });

  it('forgets that an order left only where it never did', () => {
    const notSent = { outcome: 'not_sent', code: 'rate_limited' } as const;
    expect(applySubmitAnswer(notSent, { wasSent: false })).toMatchObject({ sentAt: null });
    for (const [answer, wasSent] of [
      [{ ...notSent, wasTurnedAway: true }, false],
      [notSent, true],
    ] as const)
      expect(applySubmitAnswer(answer, { wasSent })).not.toHaveProperty('sentAt');
  });

  it('never undoes the progress that an execution has proven', () => {
    const statuses = ['working', 'filled', 'cancelled', 'unknown', 'intended'] as const;
    const ids = fc.constantFrom(null, 'B1');
    fc.assert(
      fc.property(
        answers,
        fc.constantFrom(...statuses),
        ids,
        fc.boolean(),
        (answer, status, brokerOrderId, wasSent) => {
          const next = applySubmitAnswer(answer, { wasSent });
          if (next.type === 'end') return;
          const update = submitUpdate({ status, brokerOrderId }, next);
          expect(update?.status ?? status).toBe(status);
          expect(update?.brokerOrderId !== undefined).toBe(
            answer.outcome === 'accepted' && brokerOrderId === null,
          );
          expect(submitUpdate({ status: 'sending', brokerOrderId }, next)).toMatchObject({
            status: next.status,
          });
        },
      ),
    );
  });
});

it('lets exits leave first and stops last, each oldest first, and nothing that is halted', () => {
  const purposes = fc.constantFrom('rebalance', 'stop_loss', 'liquidation', 'protective');
  const intents = fc.array(fc.tuple(purposes, fc.constantFrom('D1', 'D2')), { maxLength: 12 });
  fc.assert(
    fc.property(intents, (asked) => {
      const orders = asked.map(([purpose, id], i) =>
        openOrder({ id: `${i}` as OrderId, purpose, deploymentId: id as DeploymentId }),
      );
      const turns = submitTurns(orders, { isHalted: (id) => id === 'D2', realNow: wallInstant(0) });
      const ranks = turns.map(({ decided: { purpose } }) =>
        purpose === 'protective' ? 2 : purpose === 'rebalance' ? 1 : 0,
      );
      expect(ranks).toEqual(ranks.toSorted());
      expect(turns.toSorted((a, b) => Number(a.id) - Number(b.id))).toEqual(
        orders.filter(({ decided }) => decided.deploymentId === 'D1'),
      );
      const ofRank = Object.values(Object.groupBy(turns, (_, i) => String(ranks[i])));
      for (const same of ofRank) expect(same).toEqual(same!.toSorted((a, b) => Number(a.id) - Number(b.id)));
    }),
  );
});

it('lets an order leave for less than a second after its checks', () => {
  expect(areChecksValid(1_000, 1_799)).toBe(true);
  expect(areChecksValid(1_000, 1_800)).toBe(false);
});

it('tries a stop that could not be sent ever more rarely, and an exit at each look', () => {
  const triesIn = (minutes: number, purpose: 'protective' | 'stop_loss') => {
    let order = openOrder({ purpose });
    for (let ms = 0; ms < minutes * 60_000; ms += 1_000) {
      const realNow = wallInstant(ms);
      const [turn] = submitTurns([order], { isHalted: () => false, realNow });
      if (turn !== undefined) order = { ...order, sendTries: nextTry(order.sendTries ?? undefined, realNow) };
    }
    return order.sendTries?.count;
  };
  expect(triesIn(1, 'stop_loss')).toBe(60);
  expect(triesIn(1, 'protective')).toBe(3);
  expect(triesIn(60, 'protective')).toBe(16);
});
