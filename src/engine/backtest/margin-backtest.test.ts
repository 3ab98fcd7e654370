import { expect, it } from 'vitest';
import type { Symbol } from '#units/identifiers.ts';
import { toMicro } from '#units/money.ts';
import { backtest } from './backtest.ts';
import { barSeries } from '../market/bar-series.ts';
import { session } from '../market/calendar.ts';
import { tradingDays } from '../../../tests/support/trading-days.ts';
import { flatCosts } from '../market/costs.ts';
import type { Bar } from '../market/instrument.ts';
import { definitionOf } from '#tests/support/engine/sample-definitions.ts';
import { equityInstrument, instrumentMap } from '#tests/support/engine/random-market.ts';

it('closes a short position that moved too far against it, at the next open, once', () => {
  const share = equityInstrument('AAA');
  const dates = tradingDays('us-equity', { from: '2025-01-02' as never, to: '2025-03-31' as never });
  const bars = dates.map((date, i): Bar => {
    const { opensAt, closesAt } = session('us-equity', date)!;
    const price = 100 + Math.min(90, Math.max(0, i - 10) * 5);
    return {
      openedAt: opensAt,
      closedAt: closesAt,
      date,
      open: price,
      high: price,
      low: price,
      close: price,
      volume: 1,
    };
  });
  const result = backtest({
    definition: definitionOf({
      universe: ['AAA'],
      benchmark: 'AAA',
      direction: 'long_short',
      rule: {
        type: 'signals',
        enterShort: { op: 'above', left: 'close', right: 0 },
        exitShort: { op: 'below', left: 'close', right: 0 },
      },
      gross: 0.95,
    }),
    instruments: instrumentMap(share),
    series: new Map([[share.symbol, barSeries(share.symbol as Symbol, '1d', bars)]]),
    settings: {
      initialCash: toMicro(100_000),
      costs: flatCosts({ commissionRate: 0, slippageRate: 0 }),
      limits: { stopLossPercentage: 0, maxAllocationPercent: 0, freezeOnDrawdownPercent: 0 },
      collar: 0.05,
      noTradeBand: 0.5,
    },
  });
  expect(result.notices.map(({ notice }) => notice)).toEqual([{ type: 'margin_call', symbol: 'AAA' }]);
  expect(result.fills.map(({ side }) => side)).toEqual(['sell', 'buy']);
  expect(result.exposure.at(-1)).toBe(0);
  expect(result.finalEquity).toBeGreaterThan(0);
  expect(result.equity.at(-1)).toBe(result.cash.at(-1));
});
