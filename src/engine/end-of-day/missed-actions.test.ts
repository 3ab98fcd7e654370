import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { IsoDate } from '#units/instant.ts';
import { type Quantity, quantity } from '#units/quantity.ts';
import { previousTradingDay, session } from '../market/calendar.ts';
import { tradingDays } from '../../../tests/support/trading-days.ts';
import type { CorporateAction } from '../market/corporate-action.ts';
import {
  missedDividends,
  missedSwap,
  missedSwapSessions,
  netDividends,
  splitRatioOf,
} from './missed-actions.ts';

const days = tradingDays('us-equity', { from: '2026-01-05' as IsoDate, to: '2026-02-27' as IsoDate });
const anyDay = fc.constantFrom(...days);
const anyAction: fc.Arbitrary<CorporateAction> = fc.record({
  kind: fc.constantFrom('split', 'dividend'),
  exDate: anyDay,
  amount: fc.integer({ min: 1, max: 4 }),
});
const anyActions = fc.uniqueArray(anyAction, { maxLength: 6, selector: ({ exDate }) => exDate });
const atOpen = (day: IsoDate) => ({ calendar: 'us-equity', at: session('us-equity', day)!.opensAt }) as const;
const NONE = new Set<IsoDate>();

test('an execution counts every split between its day and the last processed session, and no other', () => {
  fc.assert(
    fc.property(anyActions, anyDay, anyDay, (actions, day, processed) => {
      const lived = actions.filter(({ kind, exDate }) => {
        const last = previousTradingDay('us-equity', exDate);
        return kind === 'split' && last >= day && last <= processed;
      });
      const ratio = splitRatioOf(actions, atOpen(day), { processed, sessions: NONE });
      expect(ratio).toBe(lived.reduce((product, { amount }) => product * amount, 1));
    }),
  );
});

test('nothing is missed while no session is processed, unless the action was applied to this deployment already', () => {
  fc.assert(
    fc.property(anyActions, anyDay, (actions, day) => {
      const execution = { ...atOpen(day), traded: 100 };
      expect(missedDividends(actions, execution, { processed: null, sessions: NONE })).toEqual([]);
      expect(splitRatioOf(actions, execution, { processed: null, sessions: NONE })).toBe(1);
      const all = { processed: days.at(-1)!, sessions: NONE };
      const each = new Set(actions.map(({ exDate }) => previousTradingDay('us-equity', exDate)));
      expect(missedDividends(actions, execution, { processed: null, sessions: each })).toEqual(
        missedDividends(actions, execution, all),
      );
    }),
  );
});

test('a missed dividend counts the shares of its session: a sale gives back what a purchase is paid', () => {
  fc.assert(
    fc.property(anyActions, anyDay, (actions, day) => {
      const applied = { processed: days.at(-1)!, sessions: NONE };
      const bought = missedDividends(actions, { ...atOpen(day), traded: 100 }, applied);
      const sold = missedDividends(actions, { ...atOpen(day), traded: -100 }, applied);
      for (const [i, { sessionDate, entitled }] of bought.entries()) {
        expect(sold[i]!.entitled).toBe(-entitled);
        const splits = actions.filter(({ kind, exDate }) => {
          const last = previousTradingDay('us-equity', exDate);
          return kind === 'split' && last >= day && last < sessionDate;
        });
        expect(entitled).toBe(splits.reduce((units, { amount }) => units * amount, 100));
      }
    }),
  );
});

test('a trade that replaces another of its day is paid for the difference alone', () => {
  fc.assert(
    fc.property(anyActions, anyDay, fc.integer({ min: -50, max: 50 }), (actions, day, more) => {
      const applied = { processed: days.at(-1)!, sessions: NONE };
      const missed = (traded: number) => missedDividends(actions, { ...atOpen(day), traded }, applied);
      const net = netDividends([...missed(-100), ...missed(100 + more)]);
      expect(net).toEqual(more === 0 ? [] : missed(more));
    }),
  );
});

const units = fc.integer({ min: -500, max: 500 }).filter((one) => one !== 0);

test('a late trade is swapped over every processed session from its own on, and over no other', () => {
  fc.assert(
    fc.property(anyDay, anyDay, units, (day, processed, traded) => {
      const { at } = atOpen(day);
      const missed = missedSwapSessions('us-equity', [{ at, units: traded }], { processed, sessions: NONE });
      const passed = days.filter((one) => one >= day && one <= processed);
      expect(missed).toEqual(passed.map((date) => ({ date, units: traded })));
    }),
  );
});

test('a trade at the very close of a session is held over its end', () => {
  const day = days[3]!;
  const { closesAt } = session('us-equity', day)!;
  const trades = [{ at: closesAt, units: 10 }];
  expect(missedSwapSessions('us-equity', trades, { processed: days[4]!, sessions: NONE })).toEqual([
    { date: day, units: 10 },
    { date: days[4], units: 10 },
  ]);
});

test('a trade that is taken back and booked again in full misses no swap', () => {
  fc.assert(
    fc.property(anyDay, units, (day, traded) => {
      const { at } = atOpen(day);
      const trades = [
        { at, units: -traded },
        { at, units: traded },
      ];
      expect(missedSwapSessions('us-equity', trades, { processed: days.at(-1)!, sessions: NONE })).toEqual(
        [],
      );
    }),
  );
});

test('swaps in parts pay what the whole position pays, also across zero, where what is owed costs another rate', () => {
  const perUnitOf = (held: Quantity) => (held > 0 ? 0.011 : 0.017);
  const paid = (held: number) => (held === 0 ? 0 : held * perUnitOf(quantity(held)));
  fc.assert(
    fc.property(fc.integer({ min: -500, max: 500 }), units, (before, more) => {
      const late = { date: days[0]!, units: quantity(more) };
      const { perUnit, entitled } = missedSwap(late, quantity(before), perUnitOf);
      expect(entitled).toBe(more);
      expect(perUnit * entitled).toBeCloseTo(paid(before + more) - paid(before), 9);
    }),
  );
});
