import { tmpdir } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { startBacktestWorker } from '../../../tests/support/backtest-worker.ts';
import { storeMarket } from '../../../tests/support/committed-strategy.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { postDraft } from '../../../tests/support/post-draft.ts';
import { signedInPerson } from '../../../tests/support/test-person.ts';
import { SAMPLE_DEFINITIONS } from '#tests/support/engine/sample-definitions.ts';
import { findAttackVerdict } from '#records/results/attacks.ts';
import { countTrials } from '#records/results/trials.ts';
import type { StrategyVersionId } from '#units/identifiers.ts';
import { isoText } from '#units/instant.ts';

const app = await testApp();
const { request, records } = app;
const bars = await storeMarket(records.database);
const committedAt = bars[599]!.closedAt;
app.world.marketNow = committedAt;

// A hundredth of a second for each trial: however fast the machine, a long sweep lasts until it is cancelled or stopped.
await records.owner.query(`
  create function be_slow() returns trigger language plpgsql as 'begin perform pg_sleep(0.01); return new; end';
  create trigger be_slow before insert on trials for each row execute function be_slow()`);

const errors: unknown[] = [];
const options = {
  database: records.database,
  databaseUrl: records.url,
  dataDir: tmpdir(),
  feePercent: 30,
  readClock: async () => ({ now: bars[699]!.closedAt, mode: 'sandbox' as const }),
  onError: (error: unknown) => void errors.push(error),
};
let jobs = await startBacktestWorker(options);
afterAll(async () => {
  await jobs.stop();
});

const { token, id: userId } = await signedInPerson(app);
const other = await signedInPerson(app);

const draft = (definition?: object) => postDraft(app, token, definition);
const ask = (id: string, body: object, headers = {}) =>
  request({ method: 'POST', url: `/api/strategies/${id}/backtests/`, token, body, headers });
const look = async (id: string) => (await request({ url: `/api/backtests/${id}/`, token })).body;
const cancel = (id: string) => request({ method: 'POST', url: `/api/backtests/${id}/cancel/`, token });

async function until(id: string, isReached: (job: { status: string; progress: number }) => boolean) {
  for (;;) {
    const job = await look(id);
    if (isReached(job)) return job;
    await pause(50);
  }
}
const ended = (id: string) => until(id, ({ status }) => status !== 'queued' && status !== 'running');

const LENGTHS = { path: 'features.fast.length', values: [2, 3, 4, 5] };
const many = (count: number) => Array.from({ length: count }, (_, i) => 20 + i);
const LONG = {
  kind: 'sweep',
  parameters: [
    { path: 'features.fast.length', values: [2, 3, 4, 5, 6] },
    { path: 'features.slow.length', values: many(100) },
  ],
};

test('a backtest of a draft is stored as its result, for its writer alone', async () => {
  const id = await draft();
  expect((await request({ url: `/api/strategies/${id}/`, token })).status).toBe(404);
  const asked = await ask(id, { kind: 'backtest' });
  expect(asked).toMatchObject({ status: 202, body: { strategy_id: id, kind: 'backtest', result: null } });
  const job = await ended(asked.body.id);
  expect(errors).toEqual([]);
  expect(job).toMatchObject({ status: 'done', progress: 1, message: null, result: { trials: 1 } });
  const shown = await request({ url: `/api/strategies/${id}/`, token });
  expect(shown).toMatchObject({ status: 200, body: { backtest_results: job.result.measures } });
  expect(shown.body.evidence.trials).toMatchObject({ tries: 1, by_persons: 1 });
  for (const end of ['', 'performance/', 'trades/', 'evidence/', 'evidence/data/']) {
    const url = `/api/strategies/${id}/${end}`;
    expect((await request({ url, token })).status, end).toBe(200);
    expect((await request({ url, token: other.token })).status, end).toBe(404);
    expect((await request({ url })).status, end).toBe(404);
    expect((await request({ url, token: 'a.b.c' })).status, end).toBe(401);
  }
  expect((await request({ url: '/api/strategies/' })).body).toEqual([]);
  const { rows } = await records.pool.query(
    'select purpose, run_by, user_id, searcher, markets, rule_kinds from trials where strategy_id = $1',
    [id],
  );
  const kind = { markets: ['equity'], rule_kinds: ['trend'] };
  expect(rows).toEqual([{ purpose: 'search', run_by: 'person', user_id: userId, searcher: userId, ...kind }]);
});

test('a sweep runs every set before the commit, counts each, and judges the best by all tries', async () => {
  const id = await draft();
  const slow = { path: 'features.slow.length', values: [20, 30] };
  const asked = await ask(id, { kind: 'sweep', parameters: [LENGTHS, slow] });
  const { status, result } = await ended(asked.body.id);
  expect([status, errors]).toEqual(['done', []]);
  expect(
    result.sweep.runs.map(({ parameters }: { parameters: object }) => Object.values(parameters)),
  ).toEqual(LENGTHS.values.flatMap((fast) => slow.values.map((length) => [fast, length])));
  const sharpes = result.sweep.runs.map(({ sharpe }: { sharpe: number }) => sharpe);
  expect(sharpes[result.sweep.best]).toBe(Math.max(...sharpes));
  expect(result.measures.sharpe_ratio).toBe(Math.max(...sharpes));
  expect(result.last_date <= isoText(committedAt).slice(0, 10)).toBe(true);
  expect(result.sweep.pbo).toBeGreaterThanOrEqual(0);
  expect(result.sweep.deflated_sharpe).toBeLessThan(1);
  // The draft of the test before is of the same kind.
  expect(result.trials).toBe(9);
  expect(await countTrials(records.database, id)).toMatchObject({ tries: 8, byPersons: 8 });
  const { body } = await request({ url: `/api/strategies/${id}/backtests/`, token });
  expect(body.results.map((job: { id: string }) => job.id)).toEqual([asked.body.id]);
});

test('drafts of one person that differ in a number, in symbols or in a condition are one search', async () => {
  const writer = await signedInPerson(app);
  const run = async (definition: object) => {
    const id = await postDraft(app, writer.token, definition);
    const url = `/api/strategies/${id}/backtests/`;
    const asked = await request({ method: 'POST', url, token: writer.token, body: { kind: 'backtest' } });
    for (;;) {
      const job = await request({ url: `/api/backtests/${asked.body.id}/`, token: writer.token });
      if (job.body.status === 'done') return { id, trials: job.body.result.trials as number };
      if (job.body.status === 'failed') throw new Error(job.body.message);
      await pause(50);
    }
  };
  const trend = SAMPLE_DEFINITIONS['trend']!;
  const features = { ...trend.features, stretch: { indicator: 'rsi', length: 14 } };
  const { enterLong, exitLong } = trend.rule as { enterLong: object; exitLong: object };
  const calm = { op: 'below', left: 'stretch', right: 99 };
  const first = await run(trend);
  const other = { ...trend, features: { ...trend.features, fast: { indicator: 'sma', length: 6 } } };
  const second = await run({ ...other, name: 'Renamed' });
  const removal = await request({
    method: 'DELETE',
    url: `/api/strategies/${second.id}/`,
    token: writer.token,
  });
  expect(removal.status).toBe(204);
  const third = await run({ ...trend, universe: ['AAA', 'BBB', 'DDD'] });
  const both = { op: 'all', of: [enterLong, calm] };
  const fourth = await run({ ...trend, features, rule: { type: 'signals', enterLong: both, exitLong } });
  const pairs = await run(SAMPLE_DEFINITIONS['pairs']!);
  expect([first, second, third, fourth].map(({ trials }) => trials)).toEqual([1, 2, 3, 4]);
  // Another kind of rule is a family of its own; that trends, and trends when calm, were tried counts once each.
  expect(pairs.trials).toBe(3);
  const shown = await request({ url: `/api/strategies/${first.id}/`, token: writer.token });
  expect(shown.body.evidence).toMatchObject({
    trials: { tries: 1 },
    family: { counted: 5, tries: 4, strategies: 4, further_kinds: 1, all: 5, by_provider: false },
  });
  expect(shown.body.evidence.family.sentences[0]).toBe(
    'You tried 4 rules of this kind (trends) on stocks and funds, over 4 drafts.',
  );
  expect(shown.body.evidence.lucky_sharpe).toBeGreaterThan(0);
});

test('an attack is stored for good with what it found, and counts the neighbours alone', async () => {
  const writer = await signedInPerson(app);
  const id = await postDraft(app, writer.token);
  const url = `/api/strategies/${id}/backtests/`;
  const run = async (kind: string) => {
    const asked = await request({ method: 'POST', url, token: writer.token, body: { kind } });
    if (asked.status !== 202) return asked;
    for (;;) {
      const job = await request({ url: `/api/backtests/${asked.body.id}/`, token: writer.token });
      if (job.body.status === 'done' || job.body.status === 'failed') return job;
      await pause(50);
    }
  };
  const shown = async () =>
    (await request({ url: `/api/strategies/${id}/attack/`, token: writer.token })).body;
  expect(await run('attack')).toMatchObject({ status: 422, body: { field: 'kind' } });
  await run('backtest');
  expect(await shown()).toEqual({ attack: null });
  const { body: job } = await run('attack');
  expect([errors, job.message]).toEqual([[], null]);
  const { rows } = await records.pool.query<{ purpose: string; count: number }>(
    'select purpose, count(*)::int as count from trials where strategy_id = $1 group by 1 order by 1',
    [id],
  );
  const counts = Object.fromEntries(rows.map(({ purpose, count }) => [purpose, count]));
  expect(counts).toEqual({ attack: 2, search: 1, variant: expect.any(Number) as number });
  expect(counts['variant']).toBeGreaterThan(3);
  const tries = 1 + counts['variant']!;
  expect(job.result).toMatchObject({ trials: tries, measures: null });
  const { attack } = await shown();
  expect(attack).toMatchObject({ trials: tries, at: isoText(bars[699]!.closedAt) });
  const outcomes = Object.fromEntries(
    attack.findings.map(({ code, outcome }: { code: string; outcome: string }) => [code, outcome]),
  );
  // Prices are simulated, and the draft names every instrument that there is.
  expect(outcomes).toMatchObject({ luck: 'failed', crises: 'not_run', other_instruments: 'not_run' });
  expect(Object.values(outcomes)).toHaveLength(9);
  expect(attack).toMatchObject({ verdict: 'do_not_deploy', word: 'Do not deploy' });
  const [version] = (
    await records.pool.query<{ id: StrategyVersionId; hash: string }>(
      'select id, definition_hash as hash from strategy_versions where strategy_id = $1',
      [id],
    )
  ).rows;
  const byVersion = await findAttackVerdict(records.database, { versionId: version!.id });
  expect(byVersion).toMatchObject({ verdict: 'do_not_deploy', definitionHash: version!.hash });
  expect(await findAttackVerdict(records.database, { definitionHash: version!.hash })).toEqual(byVersion);
  expect(await findAttackVerdict(records.database, { definitionHash: 'another' })).toBeUndefined();
  // Once more: the same seed finds the same, and no try is added.
  await run('attack');
  const again = (await shown()).attack;
  expect(again.findings).toEqual(attack.findings);
  expect(again.trials).toBe(tries);
  await expect(records.owner.query("update attacks set verdict = 'withstood'")).rejects.toThrow(
    'append-only',
  );
  await request({ method: 'DELETE', url: `/api/strategies/${id}/`, token: writer.token });
  expect(await findAttackVerdict(records.database, { versionId: version!.id })).toMatchObject({
    verdict: 'do_not_deploy',
  });
});

test('a backtest shows its line while it runs, and its result in place of it when it has ended', async () => {
  const sleep = (seconds: number) =>
    records.owner.query(`
      create or replace function be_slow() returns trigger language plpgsql as 'begin perform pg_sleep(${seconds}); return new; end'`);
  // Its try is written down after the run: until then the job is still running.
  await sleep(2);
  const { body } = await ask(await draft(), { kind: 'backtest' });
  const seen = await until(body.id, ({ status, progress }) => status === 'done' || progress > 0.8);
  await sleep(0.01);
  expect(seen.status).toBe('running');
  expect(seen.partial.labels).toHaveLength(seen.partial.data.length);
  expect(seen.partial.data.length).toBeGreaterThan(100);
  expect(seen.partial.labels).toEqual(seen.partial.labels.toSorted());
  expect(await ended(body.id)).toMatchObject({ status: 'done', partial: null });
});

test('while a long sweep runs its progress moves and calls are answered, and a cancel stops it', async () => {
  const id = await draft();
  const asked = await ask(id, LONG);
  const first = await until(asked.body.id, ({ progress }) => progress > 0);
  let answered = 0;
  const moved = await until(asked.body.id, ({ progress }) => {
    answered++;
    return progress > first.progress;
  });
  expect(moved.status).toBe('running');
  expect(answered).toBeGreaterThan(0);
  expect((await cancel(asked.body.id)).status).toBe(202);
  const stopped = await ended(asked.body.id);
  expect(stopped).toMatchObject({ status: 'cancelled', message: 'It was cancelled.', result: null });
  expect(stopped.progress).toBeLessThan(1);
  const { tries } = await countTrials(records.database, id);
  expect(tries).toBeGreaterThan(0);
  expect(tries).toBeLessThan(500);
  await pause(300);
  expect((await countTrials(records.database, id)).tries).toBe(tries);
  // What has ended stays as it is.
  expect((await cancel(asked.body.id)).body.status).toBe('cancelled');
});

test('per user one runs, four wait, and a sixth is refused with an explanation', async () => {
  const id = await draft();
  const running = await ask(id, LONG);
  await until(running.body.id, ({ status }) => status === 'running');
  const waiting = await Promise.all(Array.from({ length: 4 }, () => ask(id, LONG)));
  expect(waiting.map(({ status, body }) => [status, body.status])).toEqual(
    waiting.map(() => [202, 'queued']),
  );
  const refused = await ask(id, { kind: 'backtest' });
  expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_requests' } });
  expect(refused.body.message).toContain('in the queue');
  for (const { body } of waiting) expect((await cancel(body.id)).body.status).toBe('cancelled');
  await cancel(running.body.id);
  await ended(running.body.id);
});

test('a process that stops returns its job to the queue, and the next one finishes it', async () => {
  const id = await draft();
  const { body } = await ask(id, { kind: 'sweep', parameters: [{ ...LENGTHS, values: many(60) }] });
  await until(body.id, ({ status }) => status === 'running');
  await jobs.stop();
  expect((await look(body.id)).status).toBe('queued');
  jobs = await startBacktestWorker(options);
  expect((await ended(body.id)).status).toBe('done');
});

test('a job that takes too long is ended with an explanation', async () => {
  await jobs.stop();
  jobs = await startBacktestWorker({ ...options, longestMs: 1 });
  const { body } = await ask(await draft(), LONG);
  expect((await ended(body.id)).message).toContain('longer than');
  await jobs.stop();
  jobs = await startBacktestWorker(options);
});

test('rules that never trade fail with an explanation, not with figures', async () => {
  const { rule, ...rest } = SAMPLE_DEFINITIONS['trend']!;
  const never = { ...rule, enterLong: { op: 'below', left: 'close', right: 0 } };
  const { body } = await ask(await draft({ ...rest, rule: never }), { kind: 'backtest' });
  expect(await ended(body.id)).toMatchObject({
    status: 'failed',
    message: expect.stringContaining('never traded'),
  });
});

test('the same Idempotency-Key asks once', async () => {
  const id = await draft();
  const key = { 'idempotency-key': 'once' };
  const [first, again] = [await ask(id, { kind: 'backtest' }, key), await ask(id, { kind: 'backtest' }, key)];
  expect(again.body.id).toBe(first.body.id);
  expect((await ask(await draft(), { kind: 'backtest' }, key)).status).toBe(409);
  await ended(first.body.id);
});

test.each([
  [{ kind: 'sweep' }, 422, 'at least one parameter'],
  [{ kind: 'backtest', parameters: [LENGTHS] }, 422, 'the saved version'],
  [{ kind: 'sweep', parameters: [{ path: 'features.fast.size', values: [1] }] }, 422, 'names no number'],
  [
    { kind: 'sweep', parameters: [{ path: 'features.fast.length', values: [0] }] },
    422,
    'features.fast.length 0',
  ],
  [
    {
      kind: 'sweep',
      parameters: [
        { path: 'features.fast.length', values: many(50) },
        { path: 'features.slow.length', values: many(50) },
      ],
    },
    422,
    '2500 combinations',
  ],
  [{ kind: 'guess' }, 400, 'Choose one of backtest, sweep, attack'],
])('%j is refused', async (body, status, sentence) => {
  const refused = await ask(await draft(), body);
  expect([refused.status, refused.body.message]).toEqual([status, expect.stringContaining(sentence)]);
});

test("another user's strategy and backtest are not found", async () => {
  const id = await draft();
  const { body } = await ask(id, { kind: 'backtest' });
  await ended(body.id);
  const calls = [
    { method: 'POST', url: `/api/strategies/${id}/backtests/`, body: { kind: 'backtest' } },
    { method: 'GET', url: `/api/strategies/${id}/backtests/` },
    { method: 'GET', url: `/api/backtests/${body.id}/` },
    { method: 'POST', url: `/api/backtests/${body.id}/cancel/` },
    { method: 'GET', url: '/api/backtests/new/' },
  ] as const;
  for (const call of calls)
    expect((await request({ ...call, token: other.token })).status, `${call.method} ${call.url}`).toBe(404);
});
