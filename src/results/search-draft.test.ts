import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { withNumbers } from '#engine/backtest/variants.ts';
import { definitionHash } from '#engine/strategy/definition-hash.ts';
import type { StrategyDefinition } from '#engine/strategy/definition.ts';
import { findNewestBacktest } from '#records/results/backtests.ts';
import { addVersion, findDraft } from '#records/strategy-builder/strategy-drafts.ts';
import { commitStrategy, resultTools, storeMarket } from '#tests/support/committed-strategy.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import type { BacktestJobId, UserId } from '#units/identifiers.ts';
import { searchDraft } from './search-draft.ts';

const handle = await testDatabase();
const { database, pool } = handle;
const bars = await storeMarket(database);
const now = bars.at(-1)!.closedAt;
const tools = resultTools(database, now);
const { rows } = await pool.query<{ id: UserId }>(
  `insert into users (id, email, password_hash, first_name) values ($1, 'search@example.test', 'x', 'A') returning id`,
  [randomUUID()],
);
const userId = rows[0]!.id;

async function draft(slug: string) {
  const version = await commitStrategy(database, { slug, committedAt: now });
  await pool.query('update strategies set owner_id = $1 where id = $2', [userId, version.strategyId]);
  return version;
}
const numberOf = (definition: StrategyDefinition) => {
  const [name] = Object.keys(definition.features);
  return `features.${name}.length`;
};
const candidatesOf = (definition: StrategyDefinition) =>
  [
    definition,
    ...[15, 25, 35].map((length) => withNumbers(definition, { [numberOf(definition)]: length }).value),
  ].map((one, place) => ({
    definition: { ...(one as StrategyDefinition), name: `Rules ${place}` },
    strategyType: 'momentum',
    sentence: 'Found for the wishes.',
  }));
async function job(version: Awaited<ReturnType<typeof draft>>): Promise<BacktestJobId> {
  const id = randomUUID() as string as BacktestJobId;
  await pool.query(
    `insert into backtest_jobs (id, strategy_id, strategy_version_id, user_id, kind, parameters)
     values ($1, $2, $3, $4, 'search', '[]')`,
    [id, version.strategyId, version.versionId, userId],
  );
  return id;
}
const tries = async (jobId: string) =>
  (await pool.query<{ runs: number }>('select count(*)::int as runs from trials where job_id = $1', [jobId]))
    .rows[0]!.runs;
const wishes = { maxDrawdown: 30, targetReturn: 10 };

test('every set of rules is a try, and the best by the wishes is the draft’s newest version with its result', async () => {
  const version = await draft('searched');
  const candidates = candidatesOf(version.definition);
  const asked = { userId, jobId: await job(version) };
  const said: string[] = [];
  const search = {
    search: { wishes, candidates },
    asked,
    reached: (_: number, message: string) => said.push(message),
  };
  const found = await searchDraft(tools, version, search);
  if (!found.ok) throw new Error(found.message);
  expect(found.figures.filter((one) => one !== null)).toHaveLength(4);
  expect(await tries(asked.jobId)).toBe(4);
  expect(said).toContain('3 of 4 sets of rules');
  const newest = (await findDraft(database, version.strategyId))!;
  expect(newest).toMatchObject({
    versionId: found.versionId,
    name: `Rules ${found.judged.chosen}`,
    strategyType: 'momentum',
    shortDescription: 'Found for the wishes.',
  });
  expect(newest.definitionHash).toBe(definitionHash(candidates[found.judged.chosen]!.definition));
  expect(await findNewestBacktest(database, found.versionId)).toBeDefined();
  // Begun again after its worker died: the same version, and no try twice.
  const again = await searchDraft(tools, version, search);
  expect(again.ok && again.versionId).toBe(found.versionId);
  expect(await tries(asked.jobId)).toBe(4);
});

test('rules that their writer changed meanwhile stay', async () => {
  const version = await draft('changed');
  const own = { ...version.definition, gross: 0.31 };
  await database.transaction().execute((trx) =>
    addVersion(trx, version.strategyId, {
      id: randomUUID(),
      definition: own,
      hash: definitionHash(own),
      at: now,
    }),
  );
  const search = {
    search: { wishes, candidates: candidatesOf(version.definition) },
    asked: { userId, jobId: await job(version) },
    reached: () => undefined,
  };
  const answer = await searchDraft(tools, version, search);
  expect(answer).toEqual({ ok: false, message: expect.stringContaining('changed while it searched') });
  expect((await findDraft(database, version.strategyId))!.definitionHash).toBe(definitionHash(own));
});
