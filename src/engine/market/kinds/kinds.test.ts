import { describe, expect, it } from 'vitest';
import type { Symbol } from '#units/identifiers.ts';
import type { IsoDate } from '#units/instant.ts';
import { toMicro } from '#units/money.ts';
import { fromQuantity, toQuantity } from '#units/quantity.ts';
import { backtest } from '../../backtest/backtest.ts';
import type { BacktestInput } from '../../backtest/settings.ts';
import { definitionOf } from '#tests/support/engine/sample-definitions.ts';
import { equityInstrument, forexInstrument, instrumentMap } from '#tests/support/engine/random-market.ts';
import { barSeries } from '../bar-series.ts';
import { session } from '../calendar.ts';
import { tradingDays } from '../../../../tests/support/trading-days.ts';
import { contractMonths, frontContract } from '../derivatives/contract-months.ts';
import { commissionOf, flatCosts, TRADING_COSTS } from '../costs.ts';
import type { Bar, Instrument } from '../instrument.ts';
import { intrinsicValue, parseOption } from '../option-contract.ts';

const day = (text: string) => text as IsoDate;

/** Bars of every trading day of a range; a bar opens where the previous one closed. */
function steady(
  instrument: Instrument,
  from: string,
  to: string,
  closeOn: (date: IsoDate, i: number) => number,
) {
  let before = Number.NaN;
  const bars = tradingDays(instrument.calendar, { from: day(from), to: day(to) }).map((date, i): Bar => {
    const { opensAt, closesAt } = session(instrument.calendar, date)!;
    const close = closeOn(date, i);
    const open = Number.isNaN(before) ? close : before;
    before = close;
    const [high, low] = [Math.max(open, close), Math.min(open, close)];
    return { openedAt: opensAt, closedAt: closesAt, date, open, high, low, close, volume: 1 };
  });
  return barSeries(instrument.symbol, '1d', bars);
}

const ALWAYS_LONG = {
  type: 'signals',
  enterLong: { op: 'above', left: 'close', right: 0 },
  exitLong: { op: 'below', left: 'close', right: 0 },
};

function run(universe: readonly string[], rest: Omit<BacktestInput, 'definition' | 'settings'>) {
  const definition = definitionOf({ universe, benchmark: universe[0], rule: ALWAYS_LONG });
  return backtest({
    definition,
    ...rest,
    settings: {
      initialCash: toMicro(100_000),
      costs: flatCosts({ commissionRate: 0, slippageRate: 0 }),
      limits: { stopLossPercentage: 0, maxAllocationPercent: 0, freezeOnDrawdownPercent: 0 },
      collar: 0.03,
      noTradeBand: 0,
    },
  });
}

describe('costs', () => {
  it('are a share of notional for shares and a sum for each contract', () => {
    const fill = { quantity: toQuantity(3), price: 100 };
    const charged = (kind: Instrument['kind'], multiplier = 1) =>
      commissionOf(fill, { kind, multiplier }, { costs: TRADING_COSTS, rate: 1 });
    expect(charged('equity')).toBe(toMicro(0.15));
    expect(charged('forex')).toBe(toMicro(0.006));
    expect(charged('crypto')).toBe(toMicro(0.54));
    expect(charged('futures', 5)).toBe(toMicro(1.95));
    expect(charged('options', 100)).toBe(toMicro(2.1));
  });
});

describe('a share', () => {
  const share = equityInstrument('AAA');
  const bars = steady(share, '2025-01-02', '2025-02-28', (date) =>
    date >= '2025-02-03' ? 25.25 : date >= '2025-01-15' ? 50.5 : 101,
  );
  const result = run(['AAA'], {
    instruments: instrumentMap(share),
    series: new Map([
      [
        share.symbol,
        {
          ...bars,
          actions: [
            { kind: 'split', exDate: day('2025-01-15'), amount: 2 },
            { kind: 'split', exDate: day('2025-02-03'), amount: 2 },
          ],
        },
      ],
    ]),
  });

  it('splits without a cent won or lost, and without a trade', () => {
    expect(result.fills.map(({ quantity }) => fromQuantity(quantity))).toEqual([961]);
    expect(new Set(result.equity)).toEqual(new Set([toMicro(100_000)]));
  });

  it('pays a dividend once, in cash, when its price falls by as much', () => {
    const falling = steady(share, '2025-01-02', '2025-01-31', (date) => (date >= '2025-01-15' ? 99 : 100));
    const actions = [{ kind: 'dividend', exDate: day('2025-01-15'), amount: 1 } as const];
    const paying = run(['AAA'], {
      instruments: instrumentMap(share),
      series: new Map([[share.symbol, { ...falling, actions }]]),
    });
    expect(paying.fills[0]).toMatchObject({ quantity: toQuantity(970) });
    expect(new Set(paying.equity)).toEqual(new Set([toMicro(100_000)]));
    expect(paying.cash.at(-1)).toBe(toMicro(3_000 + 970));
  });
});

describe('a currency pair', () => {
  it('earns and pays the difference in interest for every night held, three on a Friday', () => {
    const pair = forexInstrument('AUDUSD');
    const series = new Map([[pair.symbol, steady(pair, '2025-01-06', '2025-01-14', () => 0.65)]]);
    const { equity, fills } = run(['AUDUSD'], { instruments: instrumentMap(pair), series });
    const changes = Array.from(equity.slice(3), (value, i) => equity[i + 2]! - value);
    const units = fromQuantity(fills[0]!.quantity);
    const oneDay = (units * 0.65 * (0.02 + 0.005 - 0.021) * 1e6) / 360;
    expect(changes.map((paid) => Math.round(paid / oneDay))).toEqual([1, 3, 1, 1]);
  });
});

describe('a future', () => {
  const ROOT = 'BWSX' as Symbol;
  const root: Instrument = {
    ...equityInstrument(ROOT),
    kind: 'futures',
    settlement: 'margin',
    multiplier: 5,
  };
  const months = contractMonths(ROOT, day('2025-01-01'), 3);
  const contracts = months.map(({ symbol, expiry }): Instrument => ({ ...root, symbol, expiry }));

  it('is in front until the Thursday of the week before the third Friday of its month', () => {
    expect(months.map(({ symbol, expiry }) => [symbol, expiry])).toEqual([
      ['BWSX.2025H', '2025-03-21'],
      ['BWSX.2025M', '2025-06-20'],
      ['BWSX.2025U', '2025-09-19'],
    ]);
    expect(frontContract(ROOT, day('2025-03-12'))).toBe('BWSX.2025H');
    expect(frontContract(ROOT, day('2025-03-13'))).toBe('BWSX.2025M');
    // The third Friday of June 2026 is a holiday: the contract ends the day before.
    expect(contractMonths(ROOT, day('2026-06-01'), 1)[0]?.expiry).toBe('2026-06-18');
  });

  const rising = (start: number) => (_: IsoDate, i: number) => start + i;
  const series = new Map(
    [root, ...contracts].map((one, i) => [
      one.symbol,
      steady(one, '2025-01-02', one.expiry ?? '2025-05-30', rising(400 + 10 * i)),
    ]),
  );
  const instruments = instrumentMap(root, ...contracts);

  it('rolls into the next contract before expiry and earns what the contracts earned, times the multiplier', () => {
    const { fills, equity, exposure } = run(['BWSX'], { instruments, series });
    expect([...new Set(fills.map(({ symbol }) => symbol))]).toEqual(['BWSX.2025H', 'BWSX.2025M']);
    const [sold, bought] = ['sell', 'buy'].map((side) => fills.find((one, i) => i > 0 && one.side === side));
    expect(sold?.symbol).toBe('BWSX.2025H');
    expect(new Date(sold!.at).toISOString().slice(0, 10)).toBe('2025-03-13');
    expect(bought?.symbol).toBe('BWSX.2025M');
    const earned = fills.reduce((sum, { symbol, side, quantity, price }) => {
      const last = series.get(symbol)!.close.at(-1)!;
      const units = fromQuantity(quantity) * (side === 'buy' ? 1 : -1);
      const mark = symbol === 'BWSX.2025M' ? series.get(symbol)!.close[equity.length - 1]! : last;
      return sum + units * (mark - price) * 5;
    }, 0);
    expect(equity.at(-1)! / 1e6).toBeCloseTo(100_000 + earned, 4);
    expect(Math.max(...exposure.map((worth, i) => worth / equity[i]!))).toBeLessThanOrEqual(1.01);
  });

  it('settles in cash at its last close when it is held to the end', () => {
    const contract = contracts[0]!;
    const held = run([contract.symbol], {
      instruments: instrumentMap(contract),
      series: new Map([[contract.symbol, series.get(contract.symbol)!]]),
    });
    const last = series.get(contract.symbol)!.close.at(-1)!;
    expect(held.fills.at(-1)).toMatchObject({ side: 'sell', price: last, commission: 0 });
    expect(held.exposure.at(-1)).toBe(0);
    expect(held.cash.at(-1)).toBe(held.equity.at(-1));
    expect(held.trades).toHaveLength(1);
  });
});

const fund = equityInstrument('BWMKT');
const fundSeries = new Map([
  [fund.symbol, steady(fund, '2025-01-02', '2025-06-30', (_, i) => 100 + 4 * ((i % 7) / 7))],
]);

describe('a covered call', () => {
  const share = fund;
  const series = fundSeries;
  const definition = definitionOf({
    universe: ['BWMKT'],
    benchmark: 'BWMKT',
    direction: 'long_short',
    rule: ALWAYS_LONG,
    gross: 0.95,
    options: { structure: 'covered_call', underlying: 'BWMKT', strikePercent: 102 },
  });
  const result = backtest({
    definition,
    instruments: instrumentMap(share),
    series,
    settings: {
      initialCash: toMicro(100_000),
      costs: TRADING_COSTS,
      limits: { stopLossPercentage: 0, maxAllocationPercent: 0, freezeOnDrawdownPercent: 0 },
      collar: 0.03,
      noTradeBand: 0.005,
    },
  });
  const calls = result.fills.filter(({ symbol }) => symbol !== 'BWMKT');

  it('sells one call for every hundred shares, again after each monthly expiry', () => {
    const shares = fromQuantity(result.fills[0]!.quantity);
    const sold = calls.filter(({ side }) => side === 'sell');
    expect(new Set(sold.map(({ quantity }) => fromQuantity(quantity)))).toEqual(
      new Set([Math.floor(shares / 100)]),
    );
    expect(sold.map(({ symbol }) => symbol.slice(6, 13))).toEqual([
      '250117C',
      '250221C',
      '250321C',
      '250417C',
      '250516C',
      '250620C',
      '250718C',
    ]);
  });

  it('settles each at its value at the last close, without commission', () => {
    for (const { symbol, price, commission, side } of calls.filter((one) => one.side === 'buy')) {
      const option = parseOption(symbol)!;
      const bars = series.get(share.symbol)!;
      const row = bars.closedAt.findIndex((at) => new Date(at).toISOString().startsWith(option.expiry));
      expect({ price, commission, side }).toEqual({
        price: Math.round(intrinsicValue(option, bars.close[row]!) * 100) / 100,
        commission: 0,
        side: 'buy',
      });
    }
    expect(calls.filter(({ side }) => side === 'buy')).toHaveLength(6);
  });
});

describe('structures of puts', () => {
  const resultOf = (structure: 'protective_put' | 'cash_secured_put') =>
    backtest({
      definition: definitionOf({
        universe: ['BWMKT'],
        benchmark: 'BWMKT',
        direction: 'long_short',
        rule: ALWAYS_LONG,
        gross: 0.9,
        options: { structure, underlying: 'BWMKT', strikePercent: 97 },
      }),
      instruments: instrumentMap(fund),
      series: fundSeries,
      settings: {
        initialCash: toMicro(100_000),
        costs: TRADING_COSTS,
        limits: { stopLossPercentage: 0, maxAllocationPercent: 0, freezeOnDrawdownPercent: 0 },
        collar: 0.03,
        noTradeBand: 0.005,
      },
    });

  it('protect each hundred shares with one put below the price', () => {
    const { fills } = resultOf('protective_put');
    const shares = fromQuantity(fills.find(({ symbol }) => symbol === 'BWMKT')!.quantity);
    const bought = fills.find(({ symbol, side }) => symbol !== 'BWMKT' && side === 'buy')!;
    expect(parseOption(bought.symbol)).toMatchObject({ right: 'put', strike: 96 });
    expect(fromQuantity(bought.quantity)).toBe(Math.floor(shares / 100));
  });

  it('or are sold as far as cash covers the strike, while no shares are held', () => {
    const { fills, cash } = resultOf('cash_secured_put');
    expect(fills.every(({ symbol }) => parseOption(symbol)?.right === 'put')).toBe(true);
    const sold = fills.filter(({ side }) => side === 'sell');
    expect(sold.length).toBeGreaterThan(5);
    for (const { symbol, quantity } of sold) {
      const secured = fromQuantity(quantity) * 100 * parseOption(symbol)!.strike;
      expect(secured).toBeGreaterThan(80_000);
      expect(secured).toBeLessThan(Math.min(...cash) / 1e6);
    }
  });
});
