import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { commitStrategy, resultTools, storeMarket } from '../../../tests/support/committed-strategy.ts';
import { withoutGuards } from '../../../tests/support/without-guards.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import type { Passport, PassportBars } from '#engine/evidence/passport.ts';
import { verifyStatement } from '#engine/evidence/verify-statement.ts';
import { verifyPassport } from '#engine/evidence/verify-passport.ts';
import { renewResult } from '#results/renew-result.ts';

const { app, records, request } = await testApp();
const bars = await storeMarket(records.database);
const version = await commitStrategy(records.database, { slug: 'cross', committedAt: bars[599]!.closedAt });
const tools = resultTools(records.database, bars[649]!.closedAt);
await renewResult(tools, version);
const path = `/api/strategies/${version.strategyId}/evidence/`;

async function verify() {
  const passport = await request({ url: path });
  const data = await request({ url: `${path}data/` });
  expect([passport.status, data.status]).toEqual([200, 200]);
  const run = verifyPassport(passport.body as Passport, data.body as PassportBars, tools.engine);
  return verifyStatement(run, passport.body);
}

const differing = async () => (await verify()).parts.filter(({ agrees }) => !agrees).map(({ part }) => part);

test('the passport and its bars verify as they come over the wire', async () => {
  const { verified, parts } = await verify();
  expect(parts.map(({ reason }) => reason)).toEqual([null, null, null, null, null, null]);
  expect(verified).toBe(true);
});

test('bars that closed after the result was made are not among its data', async () => {
  const { body } = await request({ url: `${path}data/` });
  expect(body.series.map(({ closed_at }: { closed_at: number[] }) => closed_at.at(-1))).toEqual(
    body.series.map(() => bars[649]!.closedAt),
  );
});

test('the data come compressed to whom takes it so', async () => {
  const answer = await app.inject({ url: `${path}data/`, headers: { 'accept-encoding': 'gzip' } });
  expect(answer.headers['content-encoding']).toBe('gzip');
  const plain = await request({ url: `${path}data/` });
  expect(gunzipSync(answer.rawPayload).toString()).toBe(plain.text);
});

test('the strategy carries its doubt: grade, tries, and what is out-of-sample', async () => {
  const { body } = await request({ url: `/api/strategies/${version.strategyId}/` });
  expect(body.evidence).toMatchObject({
    trials: { tries: 1, failed: 0, by_persons: 0 },
    out_of_sample: { days: 50, months: 1, is_enough: true },
    after_fee: { fee_percent: 30 },
    version: 1,
  });
  const { body: performance } = await request({ url: `/api/strategies/${version.strategyId}/performance/` });
  expect(performance.committed_on).toBe(body.evidence.out_of_sample.from.slice(0, 10));
});

test('figures come for each part of the record, and none a year for less than a year', async () => {
  const { body } = await request({ url: `/api/strategies/${version.strategyId}/` });
  const { in_sample: before, out_of_sample: since } = body.samples;
  expect([before.days, since.days]).toEqual([599, 50]);
  expect(since.from).toBe(before.to);
  expect(before).toMatchObject({ annual_return: expect.any(Number), sharpe_ratio: expect.any(Number) });
  expect(since).toMatchObject({ annual_return: null, sharpe_ratio: null, sortino_ratio: null });
  expect(since.total_return).toBeCloseTo(body.evidence.out_of_sample.total_return, 12);
  expect(since.total_return_after_fee).toBeLessThanOrEqual(since.total_return);
  const whole = (1 + before.total_return / 100) * (1 + since.total_return / 100) - 1;
  expect(whole * 100).toBeCloseTo(body.backtest_results.return_inception, 8);
  expect(before.total_trades + since.total_trades).toBe(body.backtest_results.total_trades);
});

test('the passport names the chain of each series that it was computed from', async () => {
  const { body } = await request({ url: path });
  const { body: data } = await request({ url: `${path}data/` });
  const symbols = data.series.map(({ instrument }: { instrument: { symbol: string } }) => instrument.symbol);
  expect(Object.keys(body.chains).sort()).toEqual(symbols);
  for (const head of Object.values(body.chains)) expect(head).toMatch(/^[0-9a-f]{64}$/);
});

test.each([
  ['bars', 'update bars set close = close * 1.0001 where date = (select min(date) + 20 from bars)', 'data'],
  [
    'rules',
    `update strategy_versions set definition = jsonb_set(definition, '{gross}', '0.9')`,
    'definition',
  ],
  ['costs', `update backtests set costs = jsonb_set(costs, '{performanceFeePercent}', '20')`, 'costs'],
  ['figures', `update backtests set figures = jsonb_set(figures, '{sharpe_ratio}', '9')`, 'result'],
  ['chart', `update backtests set series = jsonb_set(series, '{data,40}', '1000000')`, 'result'],
  ['trades', `update backtests set trades = jsonb_set(trades, '{0,pnl}', '99')`, 'result'],
  ['engine', `update backtests set engine_hash = 'older'`, 'engine'],
])('whoever changes the %s in the records is found out', async (_, statement, part) => {
  const client = await records.pool.connect();
  const kept = await client.query('select * from backtests');
  const definitions = await client.query('select id, definition from strategy_versions');
  await client.query('create temp table kept_bars as select * from bars');
  await withoutGuards(client, statement);
  expect(await differing()).toContain(part);
  // Reset, it verifies again.
  await withoutGuards(client, 'delete from bars; insert into bars select * from kept_bars');
  await client.query('drop table kept_bars');
  for (const { id, definition } of definitions.rows)
    await client.query('update strategy_versions set definition = $2 where id = $1', [
      id,
      JSON.stringify(definition),
    ]);
  for (const row of kept.rows)
    await client.query(
      'update backtests set engine_hash = $2, costs = $3, figures = $4, series = $5, trades = $6 where id = $1',
      [
        row.id,
        row.engine_hash,
        ...[row.costs, row.figures, row.series, row.trades].map((one) => JSON.stringify(one)),
      ],
    );
  client.release();
  expect(await differing()).toEqual([]);
});

test('whatever is changed in a passport, and if only a date, is found', async () => {
  const passport = (await request({ url: path })).body;
  const places = placesOf(passport);
  expect(places.length).toBeGreaterThan(150);
  for (const place of places) {
    const changed = structuredClone(passport);
    spoil(changed, place);
    const { verified, parts } = verifyStatement({ verified: true, parts: [] }, changed);
    expect([verified, parts[0]?.reason], place.join('.')).toEqual([false, expect.any(String)]);
  }
});

/** Of every number and text; of a list, in its first entry. */
function placesOf(value: unknown, place: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [place];
  const entries = Array.isArray(value) ? [...value.entries()].slice(0, 1) : Object.entries(value);
  return entries.flatMap(([key, part]) => placesOf(part, [...place, String(key)]));
}

function spoil(root: unknown, place: readonly string[]): void {
  const parent = place.slice(0, -1).reduce((at, key) => (at as Record<string, unknown>)[key], root);
  const holder = parent as Record<string, unknown>;
  const key = place.at(-1)!;
  const old = holder[key];
  holder[key] = typeof old === 'number' ? old + 1 : typeof old === 'string' ? `${old}x` : 'other';
}

test('an absent strategy has no passport and no data', async () => {
  for (const end of ['', 'data/']) {
    const url = `/api/strategies/00000000-0000-4000-8000-000000000000/evidence/${end}`;
    expect(await request({ url })).toMatchObject({ status: 404, body: { code: 'not_found' } });
  }
});
