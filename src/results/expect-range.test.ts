import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { previousSession } from '#engine/market/calendar.ts';
import type { HistorySeries } from '#ports/market-history.ts';
import { listWithoutRange, readExpectedRange } from '#records/expectation/expected-ranges.ts';
import { commitStrategy, resultTools, storeMarket } from '#tests/support/committed-strategy.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import { insertDeployment, insertPerson, type Rows } from '#tests/support/trading-rows.ts';
import type { UserId } from '#units/identifiers.ts';
import { addDays, type Instant, instant, utcDate } from '#units/instant.ts';
import { expectRange } from './expect-range.ts';
import { renewResult } from './renew-result.ts';

const handle = await testDatabase();
const { database, pool } = handle;
const bars = await storeMarket(database);
const committedAt = bars[499]!.closedAt;
const startedAt = bars[599]!.closedAt;
const version = await commitStrategy(database, { slug: 'cross', committedAt });
const noHistory: HistorySeries = () => Promise.reject(new Error('no history is kept here'));
const tools = (now: Instant) => ({ database, history: noHistory, now, engine: 'this engine' });

const rows: Rows = { pool, database, newId: randomUUID, now: () => startedAt };
const person = await insertPerson(rows);
const deploy = (options: object = {}) =>
  insertDeployment(rows, version.versionId, { person, investment: 50_000, freeze: 25, ...options });
const rangeOf = async (id: string) => (await readExpectedRange(pool, { id, userId: person.user as UserId }))!;

test('a deployment waits for the first result of its version', async () => {
  const id = await deploy();
  expect(await expectRange(tools(startedAt), id)).toBe('awaits_result');
  expect(await listWithoutRange(database, 10)).toEqual([]);
  expect((await rangeOf(id)).made_at).toBe(null);
  await renewResult(resultTools(database, startedAt), version);
  expect(await listWithoutRange(database, 10)).toEqual([{ id, versionId: version.versionId }]);
  expect(await expectRange(tools(startedAt), id)).toBe('written');
  expect(await listWithoutRange(database, 10)).toEqual([]);
});

test('its range starts on its day at 1, from the days before it, and keeps its inputs', async () => {
  const id = await deploy();
  await renewResult(resultTools(database, bars[699]!.closedAt), version);
  expect(await expectRange(tools(bars[699]!.closedAt), id)).toBe('written');
  const row = await rangeOf(id);
  const { date: day } = previousSession('us-equity', startedAt);
  expect(row).toMatchObject({
    why_none: null,
    engine_hash: 'this engine',
    last_date: utcDate(instant(startedAt - 1)),
    terms: { investment: 50_000_000_000, limits: { freezeOnDrawdownPercent: 25 } },
    tripwire_state: 'green',
    judged_until: null,
    days_judged: 0,
  });
  const { dates, sessions, values, paths } = row.range!;
  expect([dates[0], sessions[0], paths]).toEqual([day, 0, 1_000]);
  expect(dates[1]! > day && dates[1]! <= addDays(day, 4)).toBe(true);
  expect(dates).toHaveLength(sessions.length);
  expect(values.map(([first]) => first)).toEqual([1, 1, 1, 1, 1]);
  // The first trade is some days after the first bar.
  expect(row.record_days).toBeGreaterThan(500);
  expect(row.record_days).toBeLessThan(600);
  expect(row.record_days! - row.days_in_sample!).toBe(100);
});

test('it is written once, the same for the same deployment, and can be changed by nobody', async () => {
  const id = await deploy();
  await expectRange(tools(startedAt), id);
  const { range } = await rangeOf(id);
  expect(await expectRange(tools(bars[650]!.closedAt), id)).toBe('known');
  expect((await rangeOf(id)).range).toEqual(range);
  await expect(
    pool.query('update expected_ranges set range = $2 where deployment_id = $1', [id, '{}']),
  ).rejects.toThrow('append-only');
});

test('where these terms would never have traded, it says so, and nothing is judged', async () => {
  const id = await deploy({ investment: 1, maxAllocation: 5 });
  await expectRange(tools(startedAt), id);
  expect(await rangeOf(id)).toMatchObject({
    why_none: { code: 'never_traded' },
    range: null,
    days_judged: null,
  });
});
