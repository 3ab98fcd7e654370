import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BrokerAccountId, DeploymentId, ExecutionId } from '#units/identifiers.ts';
import { DAY_MS, type Instant } from '#units/instant.ts';
import { toQuantity } from '#units/quantity.ts';
import { add, type Micro, micro, toMicro } from '#units/money.ts';
import { MARKET, snapshotOf, tradingDeployment } from '#tests/support/engine/deployment-snapshot.ts';
import { MONDAY } from '#tests/support/engine/open-order.ts';
import {
  type BookedCommission,
  judgeCommission,
  knownCommission,
  reviseCommission,
} from './revise-commission.ts';

const BOOKED: BookedCommission = {
  executionId: 'E1' as ExecutionId,
  accountId: 'DU1' as BrokerAccountId,
  deploymentId: 'D' as DeploymentId,
  quantity: toQuantity(24),
  price: 74.54,
  commission: toMicro(1),
  isProvisional: true,
  revision: 0,
};

const ROW = { quantity: toQuantity(24), price: 74.54, at: MONDAY };

const later = (ms: number) => (MONDAY + ms) as Instant;

describe('the figure of a broker', () => {
  it('is not known while there is none, and a rebate is believed only after a day', () => {
    expect(knownCommission({ commission: null, at: MONDAY }, later(9 * DAY_MS))).toBeNull();
    const rebate = { commission: toMicro(-0.35), at: MONDAY };
    expect(knownCommission(rebate, later(DAY_MS - 1))).toBeNull();
    expect(knownCommission(rebate, later(DAY_MS))).toBe(toMicro(-0.35));
    expect(knownCommission({ commission: toMicro(0), at: MONDAY }, MONDAY)).toBe(0);
  });

  it('is not taken from a row with another price or quantity than was booked, however old', () => {
    const spoilt = { ...ROW, commission: toMicro(-1) };
    const judge = (row: typeof spoilt) => judgeCommission(BOOKED, row, later(9 * DAY_MS));
    expect(judge(spoilt)).toEqual({ type: 'revise', commission: toMicro(-1) });
    expect(judge({ ...spoilt, price: -74.54 })).toEqual({ type: 'none' });
    expect(judge({ ...spoilt, quantity: toQuantity(12) })).toEqual({ type: 'none' });
  });

  it('replaces the estimate, confirms an equal one, and changes nothing when it is repeated', () => {
    const stated = (commission: Micro | null) => ({ ...ROW, commission });
    expect(judgeCommission(BOOKED, stated(null), MONDAY)).toEqual({ type: 'none' });
    expect(judgeCommission(BOOKED, stated(toMicro(1)), MONDAY)).toEqual({ type: 'confirm' });
    const revise = { type: 'revise', commission: toMicro(2) };
    expect(judgeCommission(BOOKED, stated(toMicro(2)), MONDAY)).toEqual(revise);
    const known = { ...ROW, commission: toMicro(2), isProvisional: false };
    expect(judgeCommission(known, stated(toMicro(2)), MONDAY)).toEqual({ type: 'none' });
  });
});

it('moves cash, result and equity by what the figures differ, whatever was reported before', () => {
  const figures = fc.array(fc.integer({ min: -9e6, max: 9e6 }), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(figures, (stated) => {
      const start = tradingDeployment({ units: { AAA: 10 } });
      let record = start;
      let booked = BOOKED;
      const causes: string[] = [];
      let posted = 0;
      for (const figure of stated) {
        const verdict = judgeCommission(booked, { ...ROW, commission: micro(figure) }, later(DAY_MS));
        if (verdict.type !== 'revise') continue;
        const { commission } = verdict;
        const { after, postings } = reviseCommission(snapshotOf(record), { booked, commission }, MARKET);
        const [{ cause, entries }] = postings as [(typeof postings)[number]];
        expect(entries.reduce((sum, { amount }) => sum + amount, 0)).toBe(0);
        posted += entries.find(({ account }) => account === 'commission')!.amount;
        causes.push(cause);
        record = after;
        booked = { ...booked, commission, isProvisional: false, revision: booked.revision + 1 };
      }
      const change = micro(booked.commission - BOOKED.commission);
      expect(posted).toBe(change);
      expect(add(record.cash, change)).toBe(start.cash);
      expect(add(record.realized, change)).toBe(start.realized);
      expect(add(record.equity, change)).toBe(start.equity);
      expect(record.holdings).toBe(start.holdings);
      expect(new Set(causes).size).toBe(causes.length);
    }),
  );
});

it('writes the equity of the day again, but not of a deployment that has ended', () => {
  const told = { booked: BOOKED, commission: toMicro(2) };
  const active = tradingDeployment();
  const [mark] = reviseCommission(snapshotOf(active), told, MARKET).equityMarks;
  expect(mark).toMatchObject({ cash: active.cash - 1e6, equity: active.equity - 1e6 });
  const ended = tradingDeployment({ endedAt: MONDAY });
  expect(reviseCommission(snapshotOf(ended), told, MARKET).equityMarks).toEqual([]);
});
