// What a broker lists about cash besides executions.
import { strict as assert } from 'node:assert';
import { type IsoDate, utcDate } from '#units/instant.ts';
import { toMicro } from '#units/money.ts';
import { toQuantity } from '#units/quantity.ts';
import type { ConformanceCase, MovedCash } from './conformance-case.ts';
import { signedIn, value } from './steps.ts';

const MOVES: readonly MovedCash[] = [
  { kind: 'dividend', dollars: 5.1, units: 10 },
  { kind: 'withholding_tax', dollars: -0.77, units: 10 },
  { kind: 'interest', dollars: -1.25, units: null },
  { kind: 'fee', dollars: -0.02, units: null },
  { kind: 'trading_fee', dollars: -0.03, units: null, chargedBy: 'units' },
  { kind: 'trading_fee', dollars: -0.05, units: null, chargedBy: 'worth' },
  { kind: 'deposit', dollars: 250, units: null },
  { kind: 'withdrawal', dollars: -40, units: null },
];

export const CASH_CASES: readonly ConformanceCase[] = [
  {
    number: 'C1',
    requirement:
      'cash that moves without an execution is listed with kind, amount, units, day and what a fee is charged by, and is in the cash',
    needs: 'activities',
    async run(harness) {
      const { session, accountId } = await signedIn(harness);
      const before = value(await session.cash(accountId)).cash;
      const today = utcDate(harness.now());
      assert.deepEqual(value(await session.cashActivities!(accountId, today)), []);
      for (const move of MOVES) harness.moveCash!(move);
      const listed = value(await session.cashActivities!(accountId, today));
      const symbol = harness.order({ id: 'c1', side: 'buy', price: 'far' }).symbol;
      assert.deepEqual(
        listed.map(({ kind, symbol: of, amount, units, date, chargedBy }) => ({
          kind,
          symbol: of,
          amount,
          units,
          date,
          chargedBy: chargedBy ?? null,
        })),
        MOVES.map(({ kind, dollars, units, chargedBy }) => ({
          kind,
          symbol: units === null ? null : symbol,
          amount: toMicro(dollars),
          units: units === null ? null : toQuantity(units),
          date: today,
          chargedBy: chargedBy ?? null,
        })),
      );
      assert.equal(new Set(listed.map(({ activityId }) => activityId)).size, MOVES.length);
      const moved = MOVES.reduce((sum, { dollars }) => sum + toMicro(dollars), 0);
      assert.equal(value(await session.cash(accountId)).cash - before, moved);
    },
  },
  {
    number: 'C2',
    requirement: 'activities keep their ids, over more than one page, and end at the day asked for',
    needs: 'activities',
    async run(harness) {
      const { session, accountId } = await signedIn(harness);
      const first = utcDate(harness.now());
      for (let i = 0; i < 130; i++) harness.moveCash!({ kind: 'fee', dollars: -0.01, units: null });
      harness.passOpening();
      harness.moveCash!(MOVES[0]!);
      const all = value(await session.cashActivities!(accountId, first));
      assert.equal(all.length, 131);
      assert.equal(new Set(all.map(({ activityId }) => activityId)).size, 131);
      assert.deepEqual(value(await session.cashActivities!(accountId, first)), all);
      const later: IsoDate = utcDate(harness.now());
      assert.deepEqual(value(await session.cashActivities!(accountId, later)), all.slice(130));
    },
  },
];
