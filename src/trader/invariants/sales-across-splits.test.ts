// A sale whose fate the broker has not told yet when a split is applied: what it sells counts in the units of now.
import { expect, test } from 'vitest';
import { nextTradingDay } from '#engine/market/calendar.ts';
import type { Symbol } from '#units/identifiers.ts';
import { utcDate } from '#units/instant.ts';
import { booksStage } from '../../../tests/support/books-stage.ts';
import { checkRecords } from './check-invariants.ts';

const { handle, market, venue, rows, runTicks, trading, units } = await booksStage('SPLIT');
const sellsTooMuch = async () => {
  const verdicts = await checkRecords(handle.database);
  return verdicts.find(({ says }) => says.includes('sells no more than it holds'))!.violations;
};

test.each([
  ['a reverse split', 0.5, 20],
  ['a split', 3, 120],
])('%s: no more than is held is no violation, and anything beyond it is', async (_, amount, after) => {
  const { id } = await trading();
  market.setPrice('AAA', 29);
  market.closeDay();
  await runTicks();
  venue.down = true;
  market.openDay();
  const exDate = nextTradingDay('us-equity', utcDate(market.now()));
  market.closeDay();
  market.actions.push({ symbol: 'AAA' as Symbol, kind: 'split', exDate, amount });
  market.setPrice('AAA', 29 / amount);
  await runTicks();
  expect(await units(id)).toBe(after);
  expect(
    await rows(
      `select quantity::float8, status from orders where deployment_id = $1 and side = 'sell' and symbol = 'AAA'`,
      id,
    ),
  ).toEqual([{ quantity: 40, status: 'working' }]);
  expect(await sellsTooMuch()).toEqual([]);
  const hold = (more: number) =>
    rows(
      `update positions set quantity = quantity + $2 where deployment_id = $1 and symbol = 'AAA'`,
      id,
      more,
    );
  await hold(-1);
  expect(await sellsTooMuch()).toHaveLength(1);
  await hold(1);
  venue.down = false;
  market.openDay();
  await runTicks(3);
  expect(await units(id)).toBe(0);
});
