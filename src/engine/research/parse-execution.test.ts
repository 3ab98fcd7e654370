import { expect, it } from 'vitest';
import { toMicro } from '#units/money.ts';
import { toQuantity } from '#units/quantity.ts';
import { parseExecution } from './parse-execution.ts';

it('fills in what costs nothing', () => {
  expect(parseExecution({ initialCash: 10_000 })).toEqual({
    ok: true,
    execution: {
      initialCash: toMicro(10_000),
      commissionRate: 0,
      spreadRate: 0,
      fill: 'next_open',
      size: { type: 'all_cash' },
      repeatedSignal: 'ignored',
    },
  });
});

it('reads a fixed size in natural units', () => {
  const parsed = parseExecution({ initialCash: 1, size: { units: 2.5 } });
  expect(parsed.ok && parsed.execution.size).toEqual({ type: 'fixed', quantity: toQuantity(2.5) });
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
