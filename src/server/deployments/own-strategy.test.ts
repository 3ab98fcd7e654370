import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import type { AttackVerdict } from '#engine/evidence/attack/attack-result.ts';
import { listCommittedVersions } from '#records/strategies/traded-versions.ts';
import { PRACTICE_DAYS } from '#rules/deployments/own-strategy.ts';
import { attackedDraft } from '../../../tests/support/checked-draft.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { DRAFT, listInstruments } from '../../../tests/api/scene.ts';
import { readyPerson, type TestPerson } from '../../../tests/support/test-person.ts';
import { publishedStrategy } from '../../../tests/support/test-strategy.ts';

const app = await testApp();
const { request, records, world } = app;
await listInstruments(app);
const definition = JSON.parse(DRAFT.definition) as object;

type Author = TestPerson & { readonly connectionId: string };
const LIMITS = { stop_loss_percentage: 10, max_allocation_per_trade: 20, freeze_on_drawdown: 25 };
const post = ({ token }: TestPerson, url: string, body: object = {}) =>
  request({ method: 'POST', url, token, body });
const practise = (person: TestPerson, id: string) =>
  post(person, '/api/practice-deployments/', { strategy: id, investment_amount: 10_000, ...LIMITS });
const deploy = (person: Author, id: string) =>
  post(person, '/api/deployments/', {
    strategy: id,
    investment_amount: 10_000,
    broker_connection: person.connectionId,
    ...LIMITS,
  });
const look = async ({ token }: TestPerson, id: string) =>
  (await request({ method: 'GET', url: `/api/strategies/${id}/`, token })).body;
const tune = (person: TestPerson, id: string, right: number, copy?: true) =>
  post(person, `/api/strategies/${id}/tune/`, {
    values: { 'rule.enterLong.right': right },
    ...(copy && { copy }),
  });
/** As the trader values a deployment, once a trading day. */
const valueFor = (deployment: string, days: number) =>
  records.pool.query(
    `insert into equity_marks (deployment_id, date, at, cash_micro, positions_micro, equity_micro)
     select $1, day::date, day, 1, 0, 1 from generate_series('2026-01-05'::timestamptz, '2026-01-05'::timestamptz
       + ($2::int - 1) * interval '1 day', interval '1 day') day
     on conflict do nothing`,
    [deployment, days],
  );

const attack = (id: string, verdict: AttackVerdict) => attackedDraft(app, id, verdict);
const accept = (person: TestPerson, id: string, body: { verdict: AttackVerdict; name: string }) =>
  post(person, `/api/strategies/${id}/attack/accept/`, body);

let author: Author;
let strategy: string;
beforeEach(async () => {
  world.accountId = `DU${randomUUID().slice(0, 7)}`;
  author = await readyPerson(app);
  strategy = await publishedStrategy(app, { owner: author.id, definition });
});

test('nobody but its writer finds a private strategy, in practice or with money', async () => {
  world.accountId = `DU${randomUUID().slice(0, 7)}`;
  const stranger = await readyPerson(app);
  for (const answer of [await practise(stranger, strategy), await deploy(stranger, strategy)])
    expect([answer.status, answer.body.field]).toEqual([404, 'strategy']);
});

test('its writer practises at once, and money waits for the days of practice', async () => {
  await attack(strategy, 'withstood');
  const early = await deploy(author, strategy);
  expect([early.status, early.body.code, early.body.field]).toEqual([
    422,
    'strategy_unavailable',
    'strategy',
  ]);
  expect(early.body.message).toContain('practise them for 5 trading days');
  const { body: practice } = await practise(author, strategy);
  expect(practice).toMatchObject({ mode: 'practice', is_own_strategy: true });
  await valueFor(practice.id, PRACTICE_DAYS - 1);
  expect((await look(author, strategy)).practice_first_note).toContain(
    `of which ${PRACTICE_DAYS - 1} are done`,
  );
  expect((await deploy(author, strategy)).status).toBe(422);
  await valueFor(practice.id, PRACTICE_DAYS);
  expect(await look(author, strategy)).toMatchObject({
    practice_first_note: null,
    offer_note: null,
    fees: 0,
  });
  const real = await post(author, `/api/deployments/${practice.id}/promote/`, {
    broker_connection: author.connectionId,
    practice: 'shadow',
  });
  expect(real).toMatchObject({ status: 201, body: { strategy, is_own_strategy: true, shadow: practice.id } });
});

test('money waits for the attack, and for the name of whoever deploys in spite of it', async () => {
  const { body: practice } = await practise(author, strategy);
  await valueFor(practice.id, PRACTICE_DAYS);
  expect((await deploy(author, strategy)).body.message).toContain('attack them.');
  const early = await accept(author, strategy, { verdict: 'do_not_deploy', name: 'Ada' });
  expect([early.status, early.body.code]).toEqual([409, 'illegal_move']);
  await attack(strategy, 'do_not_deploy');
  expect((await deploy(author, strategy)).body.message).toContain('accept by your name');
  const other = await accept(author, strategy, { verdict: 'withstood', name: 'Ada' });
  expect([other.status, other.body.field]).toEqual([409, 'verdict']);
  const wrong = await accept(author, strategy, { verdict: 'do_not_deploy', name: 'Somebody Else' });
  expect([wrong.status, wrong.body.message]).toEqual([422, 'Write your name as it is in your account: Ada.']);
  const { status, body } = await accept(author, strategy, { verdict: 'do_not_deploy', name: 'ada' });
  expect([status, body.attack.accepted_at]).toEqual([200, expect.any(String)]);
  expect((await accept(author, strategy, { verdict: 'do_not_deploy', name: 'Ada' })).body).toEqual(body);
  expect((await look(author, strategy)).practice_first_note).toBeNull();
  // Another attack, another verdict to read.
  await attack(strategy, 'doubtful');
  expect((await deploy(author, strategy)).status).toBe(422);
  await accept(author, strategy, { verdict: 'doubtful', name: 'Ada' });
  expect((await deploy(author, strategy)).status).toBe(201);
  const { rows } = await records.pool.query(
    'select verdict, name from attack_acceptances where user_id = $1 order by at',
    [author.id],
  );
  expect(rows).toEqual([
    { verdict: 'do_not_deploy', name: 'ada' },
    { verdict: 'doubtful', name: 'Ada' },
  ]);
});

test('suitability holds for rules of one’s own too', async () => {
  const risky = await publishedStrategy(app, { owner: author.id, definition, riskScore: 5 });
  await records.pool.query('update risk_profiles set risk_score = 2 where user_id = $1', [author.id]);
  const { status, body } = await practise(author, risky);
  expect([status, body.code]).toEqual([422, 'unsuitable']);
});

test('the rules of a deployed strategy stay; a copy takes the change, and has not practised', async () => {
  const { body: practice } = await practise(author, strategy);
  await valueFor(practice.id, PRACTICE_DAYS);
  const refused = await tune(author, strategy, 31);
  expect([refused.status, refused.body.code]).toEqual([409, 'in_use']);
  const { status, body } = await tune(author, strategy, 31, true);
  expect(status).toBe(200);
  expect(body.draft).toMatchObject({ name: 'Copy of Calm Trend', version: 1, is_traded: false });
  expect(body.draft.id).not.toBe(strategy);
  expect(body.draft.definition.rule.enterLong.right).toBe(31);
  await records.pool.query("update deployments set status = 'stopped', ended_at = now() where id = $1", [
    practice.id,
  ]);
  expect(await tune(author, strategy, 31)).toMatchObject({ status: 200, body: { draft: { version: 2 } } });
});

test('practice of other rules does not count', async () => {
  const { body: practice } = await practise(author, strategy);
  await valueFor(practice.id, PRACTICE_DAYS);
  await records.pool.query("update deployments set status = 'stopped', ended_at = now() where id = $1", [
    practice.id,
  ]);
  await tune(author, strategy, 31);
  // The other rules have no result yet.
  expect((await deploy(author, strategy)).status).toBe(404);
  await records.pool.query(
    `update backtests set strategy_version_id = (select id from strategy_versions where strategy_id = $1 and number = 2)
     where strategy_version_id = (select id from strategy_versions where strategy_id = $1 and number = 1)`,
    [strategy],
  );
  expect((await deploy(author, strategy)).body.message).toContain('attack them, and practise');
});

test('of a change and a deployment at once, the deployment trades the newest rules or there is none', async () => {
  for (let right = 31; right <= 35; right++) {
    const [made] = await Promise.all([practise(author, strategy), tune(author, strategy, right)]);
    const { rows } = await records.pool.query(
      `select d.strategy_version_id = (select id from strategy_versions where strategy_id = $1 order by number desc limit 1)
         as newest from deployments d where d.strategy_id = $1 and d.ended_at is null`,
      [strategy],
    );
    expect(rows.every(({ newest }) => newest)).toBe(true);
    if (made.status === 201) return;
    // The change came first: its rules need a result before they can be deployed.
    strategy = await publishedStrategy(app, { owner: author.id, definition });
  }
});

test('the record of private rules is kept up to date only while they trade', async () => {
  const kept = async () =>
    (await listCommittedVersions(records.database)).some(({ strategyId }) => strategyId === strategy);
  expect(await kept()).toBe(false);
  await practise(author, strategy);
  expect(await kept()).toBe(true);
});
