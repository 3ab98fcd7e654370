import { expect, it } from 'vitest';
import { flatCosts } from '#engine/market/costs.ts';
import { toMicro } from '#units/money.ts';
import { toQuantity } from '#units/quantity.ts';
import { parseExecution } from './execution-settings.ts';

it('defaults to zero costs', () => {
  expect(parseExecution({ initialCash: 10_000 })).toEqual({
    ok: true,
    settings: {
      initialCash: toMicro(10_000),
      costs: flatCosts({ commissionRate: 0, slippageRate: 0 }),
      limits: { stopLossPercentage: 0, maxAllocationPercent: 0, freezeOnDrawdownPercent: 0 },
      collar: 0,
      noTradeBand: 0,
      fill: 'next_open',
      orders: 'market',
    },
  });
});

it('reads a fixed size in natural units, and a spread as what entries slip', () => {
  const parsed = parseExecution({ initialCash: 1, size: { units: 2.5 }, spreadRate: 0.001 });
  expect(parsed.ok && parsed.settings.units).toBe(toQuantity(2.5));
  expect(parsed.ok && parsed.settings.costs.equity.slippageRate).toBe(0.001);
});

it.each([
  [{}, 'initialCash'],
  [{ initialCash: 1, commissionRate: 2 }, 'commissionRate'],
  [{ initialCash: 1, size: 'half' }, 'size'],
  [{ initialCash: 1, fill: 'never' }, 'fill'],
  [{ initialCash: 1, spread: 0 }, 'spread'],
])('names what is wrong with %j', (value, path) => {
  const parsed = parseExecution(value);
  expect(parsed.ok ? [] : parsed.errors.map((error) => error.path)).toContain(path);
});
