import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Symbol } from '#units/identifiers.ts';
import type { IsoDate } from '#units/instant.ts';
import { fromMicro, toMicro } from '#units/money.ts';
import { fromQuantity, toQuantity } from '#units/quantity.ts';
import {
  LOT_METHODS,
  type LotEvent,
  type LotMethod,
  type LotTrade,
  taxableGain,
  tradingGain,
} from './tax-lot.ts';
import { taxLots } from './tax-lots.ts';

let number = 0;
const trade = (date: string, units: number, amount: number, more: Partial<LotTrade> = {}): LotTrade => ({
  type: 'trade',
  id: `T${number++}`,
  holding: 'D',
  symbol: 'XYZ' as Symbol,
  date: date as IsoDate,
  units: toQuantity(units),
  amount: toMicro(amount),
  commission: toMicro(0),
  ...more,
});
const split = (ratio: number, holding = 'D'): LotEvent => ({
  type: 'split',
  holding,
  symbol: 'XYZ' as Symbol,
  ratio,
});
const lots = (events: readonly LotEvent[], method: LotMethod = 'fifo', hasWashSales = true) => {
  const { open, closed } = taxLots(events, { method, hasWashSales: () => hasWashSales });
  return {
    open: open.map(({ units, basis, heldSince }) => [fromQuantity(units), fromMicro(basis), heldSince]),
    closed: closed.map(({ units, gain, disallowed, term }) => [
      fromQuantity(units),
      fromMicro(gain),
      fromMicro(disallowed),
      term,
    ]),
  };
};

describe('the worked examples of Publication 550', () => {
  it('wash sale: the loss of $250 is not deductible, and the new shares cost $1,050', () => {
    const { open, closed } = lots([
      trade('2024-03-01', 100, 1_000),
      trade('2024-06-03', -100, 750),
      trade('2024-06-20', 100, 800),
    ]);
    expect(closed).toEqual([[100, -250, 250, 'short']]);
    expect(open.map(([units, basis]) => [units, basis])).toEqual([[100, 1_050]]);
  });

  it('more bought than sold, before the sale: 75 of 100 shares are replaced, in the order of purchase', () => {
    const { open, closed } = lots([
      trade('2023-09-25', 100, 5_000),
      trade('2023-12-20', 50, 2_750),
      trade('2023-12-27', 25, 1_125),
      trade('2024-01-03', -100, 4_000),
    ]);
    expect(closed).toEqual([[100, -1_000, 750, 'short']]);
    expect(open.map(([units, basis]) => [units, basis])).toEqual([
      [50, 3_250],
      [25, 1_375],
    ]);
  });

  it('holding period: bought on 7 February, it is held long from 8 February of the next year', () => {
    const held = (until: string) => lots([trade('2023-02-07', 1, 10), trade(until, -1, 20)]).closed[0]![3];
    expect(held('2024-02-07')).toBe('short');
    expect(held('2024-02-08')).toBe('long');
  });

  it('shares not identified: those bought first are sold first', () => {
    const events = [
      trade('2020-01-02', 100, 10_000),
      trade('2020-05-01', 200, 22_000),
      trade('2020-12-01', 100, 13_000),
      trade('2023-12-01', -300, 36_000),
    ];
    expect(lots(events).closed.map(([units, gain]) => [units, gain])).toEqual([
      [100, 2_000],
      [200, 2_000],
    ]);
  });

  it('put and call: what a call cost is part of what its shares cost; what a written call brought, of what they bring', () => {
    const option = 'XYZ C50' as Symbol;
    const bought = lots([
      trade('2024-01-05', 1, 300, { symbol: option }),
      {
        ...delivery(option),
        contracts: toQuantity(1),
        shares: toQuantity(100),
      },
    ]);
    expect(bought.open).toEqual([[100, 5_300, '2024-02-16']]);
    expect(bought.closed).toEqual([]);
    const written = lots([
      trade('2024-01-04', 100, 4_500),
      trade('2024-01-05', -1, 300, { symbol: option }),
      { ...delivery(option), contracts: toQuantity(-1), shares: toQuantity(-100) },
    ]);
    expect(written.open).toEqual([]);
    expect(written.closed).toEqual([[100, 800, 0, 'short']]);
  });

  it('an option that expires is sold for nothing, a written one bought back for nothing', () => {
    const symbol = 'XYZ P40' as Symbol;
    const held = [trade('2024-01-05', 1, 120, { symbol }), trade('2024-02-16', -1, 0, { symbol })];
    const written = [trade('2024-01-05', -1, 120, { symbol }), trade('2024-02-16', 1, 0, { symbol })];
    expect(lots(held).closed[0]![1]).toBe(-120);
    expect(lots(written).closed[0]).toEqual([1, 120, 0, 'short']);
  });
});

const delivery = (symbol: Symbol) => ({
  type: 'delivery' as const,
  id: 'E1',
  holding: 'D',
  symbol,
  date: '2024-02-16' as IsoDate,
  underlying: 'XYZ' as Symbol,
  amount: toMicro(5_000),
});

describe('the method', () => {
  const first = trade('2022-01-03', 10, 1_000);
  const second = trade('2023-01-03', 10, 1_500);
  const third = trade('2024-01-03', 10, 1_200);
  const sale = trade('2024-06-03', -10, 1_400, { names: [third.id] });
  const gain = (method: LotMethod) => lots([first, second, third, sale], method).closed.map((one) => one[1]);

  it.each([
    ['fifo', 400],
    ['lifo', 200],
    ['highest_cost', -100],
    ['specific', 200],
  ] as const)('%s', (method, expected) => expect(gain(method)).toEqual([expected]));

  it('specific falls back to the oldest beyond the lots that were named', () => {
    const more = { ...sale, units: toQuantity(-15), amount: toMicro(2_100) };
    expect(lots([first, second, third, more], 'specific').closed.map((one) => [one[0], one[1]])).toEqual([
      [10, 200],
      [5, 200],
    ]);
  });

  it('is about the lots of one holding: another holding of the same person keeps its own', () => {
    const elsewhere = trade('2021-01-04', 10, 100, { holding: 'E' });
    expect(lots([elsewhere, first, { ...sale, names: [] }]).closed.map((one) => one[1])).toEqual([400]);
  });
});

describe('a wash sale', () => {
  it.each([
    ['2024-05-31', 100],
    ['2024-05-01', 100],
    ['2024-04-30', 0],
  ])('with a purchase at most 30 days before the sale of 31 May: %s', (bought, disallowed) => {
    const sold = trade('2024-05-31', -10, 900);
    const events = [trade('2024-01-02', 10, 1_000), trade(bought, 10, 900), sold];
    expect(lots(events).closed[0]![2]).toBe(disallowed);
  });

  it('with a purchase on the 30th day after the sale counts, on the 31st it does not', () => {
    const sold = [trade('2024-01-02', 10, 1_000), trade('2024-05-01', -10, 900)];
    expect(lots([...sold, trade('2024-05-31', 10, 950)]).closed[0]![2]).toBe(100);
    expect(lots([...sold, trade('2024-06-01', 10, 950)]).closed[0]![2]).toBe(0);
  });

  it('counts the time that the sold shares were held for their replacement', () => {
    const { open } = lots([
      trade('2024-01-02', 10, 1_000),
      trade('2024-05-01', -10, 900),
      trade('2024-05-10', 10, 950),
    ]);
    expect(open).toEqual([[10, 1_050, '2024-01-11']]);
  });

  it('is not made by the rest of the same purchase', () => {
    expect(lots([trade('2024-05-01', 20, 2_000), trade('2024-05-10', -10, 900)]).closed[0]![2]).toBe(0);
  });

  it('is seen across the holdings of one person', () => {
    const { open, closed } = lots([
      trade('2024-01-02', 10, 1_000),
      trade('2024-05-01', -10, 900),
      trade('2024-05-10', 10, 950, { holding: 'E' }),
    ]);
    expect(closed[0]![2]).toBe(100);
    expect(open[0]![1]).toBe(1_050);
  });

  it('of a short sale has another short sale as its replacement', () => {
    const { open, closed } = lots([
      trade('2024-05-01', -10, 1_000),
      trade('2024-05-10', 10, 1_100),
      trade('2024-05-20', -10, 1_050),
    ]);
    expect(closed).toEqual([[10, -100, 100, 'short']]);
    expect(open[0]![1]).toBe(950);
  });

  it('survives a split between the sale and the replacement', () => {
    const { open, closed } = lots([
      trade('2024-01-02', 10, 1_000),
      trade('2024-04-30', 1, 80, { holding: 'E' }),
      trade('2024-05-01', -10, 900),
      split(2),
      split(2, 'E'),
      trade('2024-05-10', 30, 1_200),
    ]);
    // One share was replaced before the split, the other nine by eighteen new ones.
    expect(closed[0]![2]).toBe(100);
    expect(open.map(([units, basis]) => [units, basis])).toEqual([
      [2, 90],
      [18, 810],
      [12, 480],
    ]);
  });

  it('is not marked where the rule does not apply, as with coins', () => {
    const events = [trade('2024-05-01', 1, 100), trade('2024-05-02', -1, 90), trade('2024-05-03', 1, 90)];
    expect(lots(events, 'fifo', false).closed[0]![2]).toBe(0);
    expect(lots(events).closed[0]![2]).toBe(10);
  });

  it('has the commissions in its loss and in the gain', () => {
    const commission = toMicro(1);
    const { closed } = lots([
      trade('2024-05-01', 10, 1_000, { commission }),
      trade('2024-05-02', -10, 1_000, { commission }),
      trade('2024-05-03', 10, 1_000),
    ]);
    expect(closed[0]).toEqual([10, -2, 2, 'short']);
  });
});

it('a trade through zero closes what was held and opens the rest', () => {
  const { open, closed } = lots([trade('2024-05-01', 10, 1_000), trade('2024-05-02', -25, 3_000)]);
  expect(closed[0]!.slice(0, 2)).toEqual([10, 200]);
  expect(open[0]!.slice(0, 2)).toEqual([15, 1_800]);
});

it('contracts that are delivered and no longer held leave the opposite, as in the books', () => {
  const asked = { ...delivery('O' as Symbol), contracts: toQuantity(1), shares: toQuantity(100) };
  const { open } = taxLots([asked], { method: 'fifo', hasWashSales: () => true });
  expect(open.map(({ symbol, side, units, basis }) => [symbol, side, units, basis])).toEqual([
    ['O', 'short', toQuantity(1), 0],
    ['XYZ', 'long', toQuantity(100), toMicro(5_000)],
  ]);
});

const history = fc.array(
  fc.oneof(
    {
      weight: 9,
      arbitrary: fc.record({
        day: fc.integer({ min: 0, max: 20 }),
        units: fc.integer({ min: -40, max: 40 }).filter((units) => units !== 0),
        cents: fc.integer({ min: 1, max: 20_000 }),
        commission: fc.integer({ min: -50, max: 300 }),
        holding: fc.constantFrom('D', 'E'),
      }),
    },
    { weight: 1, arbitrary: fc.constantFrom(2, 3, 0.5) },
  ),
  { maxLength: 40 },
);

it.each(LOT_METHODS)('by %s, no dollar is made or lost, with and without wash sales', (method) => {
  fc.assert(
    fc.property(history, fc.boolean(), (steps, hasWashSales) => {
      let day = 0;
      const held = { D: 0, E: 0 };
      let paid = 0;
      let commissions = 0;
      const events = steps.flatMap((step): LotEvent[] => {
        if (typeof step === 'number') {
          held.D += Math.round(held.D * (step - 1));
          held.E += Math.round(held.E * (step - 1));
          return [split(step, 'D'), split(step, 'E')];
        }
        day += step.day;
        const date = new Date(Date.UTC(2023, 0, 1 + day)).toISOString().slice(0, 10);
        const amount = (Math.abs(step.units) * step.cents) / 100;
        const made = trade(date, step.units, amount, {
          holding: step.holding,
          commission: toMicro(step.commission / 100),
        });
        held[step.holding as 'D'] += made.units;
        paid += step.units > 0 ? made.amount : -made.amount;
        commissions += made.commission;
        return [made];
      });
      const { open, closed } = taxLots(events, { method, hasWashSales: () => hasWashSales });
      const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
      const basis = sum(open.map((lot) => (lot.side === 'long' ? lot.basis : -lot.basis)));
      const gains = sum(closed.map((lot) => taxableGain(lot) + lot.costs));
      expect(basis).toBe(paid + gains);
      const deferred = sum(open.map((lot) => lot.deferred));
      expect(basis - deferred).toBe(paid + sum(closed.map(tradingGain)));
      expect(sum(closed.map(({ costs }) => costs)) + sum(open.map(({ costs }) => costs))).toBe(commissions);
      for (const [holding, units] of Object.entries(held))
        expect(
          sum(
            open
              .filter((lot) => lot.holding === holding)
              .map((lot) => (lot.side === 'long' ? lot.units : -lot.units)),
          ),
        ).toBe(units);
      for (const { gain, disallowed } of closed) {
        expect(disallowed).toBeGreaterThanOrEqual(0);
        if (disallowed > 0) expect(disallowed).toBeLessThanOrEqual(-gain);
        if (!hasWashSales) expect(disallowed).toBe(0);
      }
    }),
  );
});
