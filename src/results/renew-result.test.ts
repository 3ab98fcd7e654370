import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { countEarlierTries } from '#processes/seed/count-earlier-tries.ts';
import { findTrialFamily } from '#records/results/trial-families.ts';
import { addTrial, countTrials } from '#records/results/trials.ts';
import { findPublicStrategy } from '#records/strategies/strategies.ts';
import { commitStrategy, resultTools, storeMarket } from '#tests/support/committed-strategy.ts';
import { definitionOf } from '#tests/support/engine/sample-definitions.ts';
import { equityInstrument, instrumentMap } from '#tests/support/engine/random-market.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import { withoutGuards } from '#tests/support/without-guards.ts';
import { checkRecords } from '#trader/invariants/check-invariants.ts';
import type { BacktestJobId, StrategyId, StrategyVersionId, UserId } from '#units/identifiers.ts';
import { type Instant, instantOfDate, utcDate } from '#units/instant.ts';
import { regradeSearch } from './grade-result.ts';
import { renewResult } from './renew-result.ts';
import { studyVariants } from './study-variants.ts';

const handle = await testDatabase();
const { database, pool } = handle;
const bars = await storeMarket(database);
const committedAt = bars[499]!.closedAt;
const version = await commitStrategy(database, { slug: 'cross', committedAt });

const toolsAt = (now: Instant) => resultTools(database, now);
const published = async () => (await findPublicStrategy(database, version.strategyId))!;
const none = () => Promise.resolve();

test('a version is published once, and the same bars do not count as a new try', async () => {
  expect(await renewResult(toolsAt(committedAt), version)).toBe('renewed');
  expect(await renewResult(toolsAt(committedAt), version)).toBe('current');
  expect(await countTrials(database, version.strategyId)).toEqual({
    tries: 1,
    failed: 0,
    variants: 0,
    byPersons: 0,
    renewals: 0,
  });
  const { samples, evidence, positionSizes } = await published();
  expect(positionSizes).toEqual({ usual: 0.25, largest: 0.25 });
  expect(samples.outOfSample).toBeNull();
  expect(samples.inSample?.periods).toBe(499);
  expect(evidence.tries).toBe(1);
});

test('later days join out-of-sample, in-sample stays as it was, and no try is added', async () => {
  const before = (await published()).samples.inSample;
  expect(await renewResult(toolsAt(bars[559]!.closedAt), version)).toBe('renewed');
  const { samples, hashes } = await published();
  expect(samples.inSample).toEqual(before);
  expect(samples.outOfSample?.periods).toBe(60);
  expect(await countTrials(database, version.strategyId)).toMatchObject({ tries: 1, renewals: 1 });
  expect(hashes.result).not.toBe('');
});

test('where nobody charges a fee, the figures after it are those before', async () => {
  const own = await commitStrategy(database, { slug: 'own', committedAt });
  expect(await renewResult({ ...toolsAt(committedAt), feePercent: 0 }, own)).toBe('renewed');
  const { costs, samples } = (await findPublicStrategy(database, own.strategyId))!;
  expect(costs.performanceFeePercent).toBe(0);
  expect(samples.whole.net.totalReturn).toBeCloseTo(samples.whole.gross.totalReturn!, 12);
  const { net, gross } = (await published()).samples.whole;
  expect(net.totalReturn).toBeLessThan(gross.totalReturn!);
});

test('the renewal of a private strategy publishes nothing', async () => {
  const own = await commitStrategy(database, { slug: 'private', committedAt });
  const owner = randomUUID();
  await pool.query(
    `insert into users (id, email, password_hash, first_name) values ($1, 'private@example.test', 'x', 'A')`,
    [owner],
  );
  await pool.query('update strategies set owner_id = $1 where id = $2', [owner, own.strategyId]);
  expect(await renewResult(toolsAt(committedAt), own)).toBe('renewed');
  const { rows } = await pool.query('select status, risk_score from strategies where id = $1', [
    own.strategyId,
  ]);
  expect(rows).toEqual([{ status: 'draft', risk_score: expect.any(Number) }]);
  expect(rows[0].risk_score).toBeLessThan(5);
});

test('a newer engine computes the result again without a new try', async () => {
  const before = await published();
  const tools = { ...toolsAt(bars[559]!.closedAt), engine: 'another engine' };
  expect(await renewResult(tools, version)).toBe('renewed');
  const { hashes } = await published();
  expect(hashes).toMatchObject({ ...before.hashes, engine: 'another engine', input: hashes.input });
  expect(hashes.input).not.toBe(before.hashes.input);
  expect(await countTrials(database, version.strategyId)).toMatchObject({ tries: 1, renewals: 2 });
});

test('every neighbour that is tried counts, once, and the grade knows it', async () => {
  const tools = toolsAt(bars[559]!.closedAt);
  const study = await studyVariants(tools, version, none);
  if (study === 'done') throw new Error('it was not studied before');
  const variants = study.variants - 1;
  expect(variants).toBeGreaterThanOrEqual(4);
  await regradeSearch(database, version.strategyId);
  const { evidence } = await published();
  // The strategy without a fee has the same rules.
  expect(evidence.tries).toBe(2 + variants);
  expect(evidence.family).toMatchObject({ tries: 2 + variants, strategies: 2, variants, byProvider: true });
  expect(evidence.trials).toMatchObject({ tries: 1 + variants, variants });
  expect(evidence.overfittingProbability).toBeGreaterThanOrEqual(0);
  expect(await studyVariants(tools, version, none)).toBe('done');
  expect(await countTrials(database, version.strategyId)).toMatchObject({ tries: 1 + variants });
});

test('old results go, the first and the newest stay, and the ledger forgets nothing', async () => {
  for (const row of [580, 600, 620, 640]) await renewResult(toolsAt(bars[row]!.closedAt), version);
  const { rows } = await pool.query<{ last_date: string }>(
    'select last_date from backtests where strategy_version_id = $1 order by last_date',
    [version.versionId],
  );
  expect(rows.map(({ last_date }) => last_date)).toEqual(
    [499, 600, 620, 640].map((row) => utcDate((bars[row]!.closedAt - 1) as Instant)),
  );
  expect((await countTrials(database, version.strategyId)).renewals).toBe(6);
});

test.each(['update trials set sharpe = 0', 'delete from trials', 'truncate trials'])(
  'the ledger refuses: %s',
  async (statement) => {
    await expect(handle.owner.query(statement)).rejects.toThrow('trials is append-only');
  },
);

test('a result is never renewed from a bar that was changed, which is named', async () => {
  const { rows } = await pool.query<{ symbol: string; date: string }>(
    'select symbol, date from bars where symbol = (select max(symbol) from bars) order by date offset 100 limit 1',
  );
  const { symbol, date } = rows[0]!;
  const day = `symbol = '${symbol}' and date = '${date}'`;
  const before = await published();
  await withoutGuards(handle, `update bars set close = close * 1.0001 where ${day}`);
  await expect(renewResult(toolsAt(bars[660]!.closedAt), version)).rejects.toThrow(`${symbol} on ${date}`);
  expect((await published()).hashes).toEqual(before.hashes);
  const failing = (await checkRecords(database)).filter(({ violations }) => violations.length > 0);
  expect(failing.map(({ violations }) => violations)).toMatchObject([[{ symbol, date }]]);
  await withoutGuards(handle, `update bars set close = close / 1.0001 where ${day}`);
});

test('a result names the ends of the chains that it was computed from', async () => {
  const { barsRead } = await published();
  expect(Object.keys(barsRead.heads ?? {}).sort()).toEqual(Object.keys(barsRead.counts).sort());
  const { rows } = await pool.query<{ seal: string }>(`select encode(seal, 'hex') as seal from bar_heads`);
  const written = new Set(rows.map(({ seal }) => seal));
  for (const head of Object.values(barsRead.heads ?? {})) expect(written).toContain(head);
});

test('a strategy that is deleted leaves its tries in the ledger', async () => {
  const gone = await commitStrategy(database, { slug: 'gone', committedAt });
  await renewResult(toolsAt(committedAt), gone);
  const before = await countTrials(database, gone.strategyId);
  expect(before.tries).toBe(1);
  await pool.query('delete from strategies where id = $1', [gone.strategyId]);
  expect(await countTrials(database, gone.strategyId)).toEqual(before);
});

test('a try by a person counts like one by a machine, even after the person is removed', async () => {
  const asked = await commitStrategy(database, { slug: 'asked', committedAt });
  const userId = '00000000-0000-4000-8000-0000000000aa' as UserId;
  await pool.query(
    `insert into users (id, email, password_hash, first_name) values ($1, 'a@example.test', 'x', 'A')`,
    [userId],
  );
  const hashes = { definitionHash: 'd', inputHash: 'i', dataHash: 'b' };
  const outcome = { kind: 'measured', sharpe: 0.05, periods: 500, weekly: null } as const;
  const search = {
    ...hashes,
    strategyId: asked.strategyId,
    versionId: null,
    markets: ['equity'],
    ruleKinds: ['trend'],
    purpose: 'search',
    outcome,
  } as const;
  await addTrial(database, {
    ...search,
    by: { kind: 'person', userId, run: { jobId: randomUUID() as string as BacktestJobId, number: 0 } },
    at: committedAt,
  });
  await addTrial(database, { ...search, by: { kind: 'machine' }, at: committedAt });
  await pool.query('delete from users where id = $1', [userId]);
  expect(await countTrials(database, asked.strategyId)).toMatchObject({ tries: 2, byPersons: 1 });
});

test('a strategy with too little history is a failed try, counted once', async () => {
  const short = await commitStrategy(database, { slug: 'short', committedAt });
  const early = toolsAt(bars[0]!.closedAt);
  expect(await renewResult(early, short)).toBe('too_short');
  expect(await renewResult(early, short)).toBe('too_short');
  expect(await countTrials(database, short.strategyId)).toMatchObject({ tries: 1, failed: 1 });
});

describe('tries before the publication', () => {
  test('tries from before the publication are in the ledger, each once', async () => {
    const { database, close } = await testDatabase();
    const version = {
      strategyId: randomUUID() as string as StrategyId,
      versionId: randomUUID() as string as StrategyVersionId,
      committedAt: instantOfDate('2026-01-05'),
      definition: definitionOf({
        universe: ['AAA'],
        rule: { type: 'signals', enterLong: { op: 'above', left: 'close', right: 10 } },
      }),
    };
    const listed = instrumentMap(equityInstrument('AAA'));
    const tries = [
      { model: 'trees', rules: 'weekly', sharpe: 0.8 },
      { model: 'trees', rules: 'monthly', sharpe: -0.2 },
    ];
    for (let start = 0; start < 2; start++)
      await countEarlierTries(database, version, { periods: 2_515, tries }, listed);
    const found = await findTrialFamily(database, { strategyId: version.strategyId, definitionHash: '' });
    expect(found?.count).toMatchObject({ tries: 2, markets: ['equity'], ruleKinds: ['price'] });
    expect([...found!.ledger.sharpes]).toEqual([0.8 / Math.sqrt(252), -0.2 / Math.sqrt(252)]);
    await close();
  });
});

describe('a record that another version of the engine published', async () => {
  const records = await testDatabase();
  const stored = await storeMarket(records.database);
  const by = await commitStrategy(records.database, { slug: 'older', committedAt: stored[499]!.closedAt });
  const tools = (row: number) => resultTools(records.database, stored[row]!.closedAt);
  const rows = async () =>
    (
      await records.pool.query(
        `select engine_version, last_date, series #>> '{data,40}' as day from backtests order by created_at`,
      )
    ).rows;
  const ofOlder = (change: string) =>
    records.pool.query(
      `update backtests set engine_version = 'bellwether-engine/0', engine_hash = 'older'${change}`,
    );

  test('goes on where this one gives the same for its days, and its last result is kept', async () => {
    await renewResult(tools(499), by);
    await ofOlder('');
    for (const row of [509, 519, 529, 539, 549]) expect(await renewResult(tools(row), by)).toBe('renewed');
    const kept = (await rows()).map(({ engine_version: version }) => version);
    expect(kept.filter((version) => version === 'bellwether-engine/0')).toHaveLength(1);
    expect(kept.length).toBe(4);
  });

  test('stays as it is where this one gives another figure for one of its days', async () => {
    await ofOlder(`, series = jsonb_set(series, '{data,40}', '123456')`);
    const before = await rows();
    expect(await renewResult(tools(599), by)).toBe('kept');
    expect(await rows()).toEqual(before);
    const shown = await findPublicStrategy(records.database, by.strategyId);
    expect(shown?.engineVersion).toBe('bellwether-engine/0');
  });
});
