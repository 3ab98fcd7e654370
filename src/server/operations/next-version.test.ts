import { expect, test } from 'vitest';
import { attackedDraft, checkedDraft, testedDraft } from '#tests/support/checked-draft.ts';
import { giveRole } from '#tests/support/give-role.ts';
import { testApp } from '#tests/support/test-app.ts';
import { readyPerson, signedInPerson, type TestPerson } from '#tests/support/test-person.ts';
import { publishedStrategy } from '#tests/support/test-strategy.ts';
import { agree, decide, LOOKED, propose } from '#tests/support/two-people.ts';
import { DRAFT, listInstruments } from '../../../tests/api/scene.ts';

const app = await testApp();
const { request, records } = app;
const { pool } = records;
await listInstruments(app);
const definition = JSON.parse(DRAFT.definition) as object;

async function provider() {
  const person = await signedInPerson(app);
  await giveRole(records, person, 'provider');
  return person;
}
const [ada, ben] = [await provider(), await provider()];

const desk = async (id: string, { token }: Pick<TestPerson, 'token'> = ada) =>
  (await request({ url: `/api/operations/catalogue/${id}/`, token })).body;
const begin = ({ token }: Pick<TestPerson, 'token'>, id: string) =>
  request({ method: 'POST', url: `/api/operations/catalogue/${id}/versions/`, token });
const tune = ({ token }: TestPerson, id: string, right: number) =>
  request({
    method: 'POST',
    url: `/api/strategies/${id}/tune/`,
    token,
    body: { values: { 'rule.enterLong.right': right } },
  });
async function follow(strategy: string) {
  app.world.accountId = `DU${Math.random().toString(36).slice(2, 9)}`;
  const person = await readyPerson(app);
  const { body } = await request({
    method: 'POST',
    url: '/api/deployments/',
    token: person.token,
    body: {
      strategy,
      investment_amount: 10_000,
      broker_connection: person.connectionId,
      stop_loss_percentage: 10,
      max_allocation_per_trade: 20,
      freeze_on_drawdown: 25,
    },
  });
  return { ...person, deployment: body.id as string };
}
const news = async ({ token }: TestPerson) =>
  (await request({ url: '/api/notifications/', token })).body.map(
    ({ title, message }: { title: string; message: string }) => `${title}: ${message}`,
  ) as string[];

test('the next version takes the rules of new deployments; one that runs keeps its own, and its owner is told', async () => {
  const strategy = await publishedStrategy(app, { definition });
  const follower = await follow(strategy);
  const { status, body: draft } = await begin(ada, strategy);
  expect(status).toBe(201);
  expect(await desk(draft.id)).toMatchObject({ replaces: { id: strategy }, status: 'draft' });
  expect((await desk(strategy)).next_versions).toEqual([
    { id: draft.id, name: 'Calm Trend', author: ada.email },
  ]);
  await tune(ada, draft.id, 31);
  const untested = await propose(app, ada, { action: 'publish', subject: draft.id });
  expect([untested.status, untested.body.message]).toEqual([409, expect.stringContaining('no result yet')]);
  await testedDraft(app, draft.id);
  const unattacked = await propose(app, ada, { action: 'publish', subject: draft.id });
  expect([unattacked.status, unattacked.body.message]).toEqual([
    409,
    expect.stringMatching(/^Nobody has attacked it yet/),
  ]);
  expect((await desk(draft.id, ben)).checks).toMatchObject({ attack: null, note: unattacked.body.message });
  await attackedDraft(app, draft.id, 'withstood');
  expect((await desk(draft.id, ben)).checks).toMatchObject({
    note: null,
    attack: { verdict: 'withstood', findings: [{}, { code: 'best_trades', outcome: 'failed' }, {}] },
    accepted: null,
    published: { number: 1, definition: { rule: { enterLong: { right: 30 } } } },
  });
  expect(await agree(app, [ada, ben], { action: 'publish', subject: draft.id })).toMatchObject({
    status: 200,
  });

  const { versions, followers, next_versions: inWork, proposals } = await desk(strategy);
  expect(versions.map(({ number, deployments }: Record<string, number>) => [number, deployments])).toEqual([
    [2, 0],
    [1, 1],
  ]);
  expect((await desk(strategy)).checks, 'of a draft alone').toBeNull();
  expect(versions[0].definition.rule.enterLong.right).toBe(31);
  expect(followers).toMatchObject({ clients: 1, deployments: 1, practice: 0, invested: 10_000 });
  expect(inWork).toEqual([]);
  expect(proposals).toMatchObject([
    { action: 'publish', subject: draft.id, status: 'over', outcome: LOOKED.reason },
  ]);
  expect(await news(follower)).toContainEqual(
    expect.stringMatching(/^New version of a strategy: Calm Trend: version 2 .* goes on with version 1/),
  );
  const { rows } = await pool.query(
    `select (select v.number from deployments d join strategy_versions v on v.id = d.strategy_version_id where d.id = $1) as follows,
       (select count(*)::int from strategies where id = $2 and replaces_id is null and status = 'draft') as drafts`,
    [follower.deployment, draft.id],
  );
  expect(rows).toEqual([{ follows: 1, drafts: 1 }]);
  // Everybody sees it at once, with the result that two people looked at.
  const { body: shown } = await request({ url: `/api/strategies/${strategy}/` });
  expect(shown).toMatchObject({ status: 'published', returnsYTD: null });
  const newcomer = await follow(strategy);
  const { rows: later } = await pool.query(
    'select v.number from deployments d join strategy_versions v on v.id = d.strategy_version_id where d.id = $1',
    [newcomer.deployment],
  );
  expect(later).toEqual([{ number: 2 }]);
});

test('a next version says that a model wrote its rules where it wrote any of its draft', async () => {
  const strategy = await publishedStrategy(app, { definition });
  const role = async () => (await request({ url: `/api/strategies/${strategy}/` })).body.model_role;
  const next = async (right: number, isWritten: boolean) => {
    const { body: draft } = await begin(ada, strategy);
    await pool.query('update strategy_versions set written_by_model = $2 where strategy_id = $1', [
      draft.id,
      isWritten,
    ]);
    await tune(ada, draft.id, right);
    await checkedDraft(app, draft.id);
    expect((await agree(app, [ada, ben], { action: 'publish', subject: draft.id })).status).toBe(200);
  };
  await next(35, false);
  expect(await role()).toBe('none');
  await next(36, true);
  expect(await role()).toBe('wrote_rules');
  const { rows } = await pool.query(
    'select written_by_model from strategy_versions where strategy_id = $1 order by number',
    [strategy],
  );
  expect(rows.map(({ written_by_model }) => written_by_model)).toEqual([false, false, true]);
});

test('the same rules are no version, and what was decided about has not changed since', async () => {
  const strategy = await publishedStrategy(app, { definition });
  const { body: draft } = await begin(ada, strategy);
  await checkedDraft(app, draft.id);
  const same = await propose(app, ada, { action: 'publish', subject: draft.id });
  expect([same.status, same.body.message]).toEqual([409, 'Its rules are those of the published version.']);
  await tune(ada, draft.id, 32);
  await checkedDraft(app, draft.id);
  const { body: proposed } = await propose(app, ada, { action: 'publish', subject: draft.id });
  // Another version comes first.
  const { body: other } = await begin(ben, strategy);
  await tune(ben, other.id, 33);
  await checkedDraft(app, other.id);
  expect((await agree(app, [ben, ada], { action: 'publish', subject: other.id })).status).toBe(200);
  expect(await decide(app, ben, { id: proposed.id, body: LOOKED })).toMatchObject({ status: 409 });
  expect((await desk(strategy)).versions.map(({ number }: { number: number }) => number)).toEqual([2, 1]);
});

test('whoever has a strategy deployed is told when it retires, and its next version ends with it', async () => {
  const strategy = await publishedStrategy(app, { definition });
  const follower = await follow(strategy);
  const { body: draft } = await begin(ada, strategy);
  await tune(ada, draft.id, 34);
  await checkedDraft(app, draft.id);
  expect((await agree(app, [ada, ben], { action: 'retire', subject: strategy })).status).toBe(200);
  expect(await news(follower)).toContainEqual(
    expect.stringMatching(/^Strategy retired: Calm Trend .* with version 1 until you close it/),
  );
  const late = await propose(app, ada, { action: 'publish', subject: draft.id });
  expect([late.status, late.body.code]).toEqual([409, 'illegal_move']);
  expect((await begin(ada, strategy)).status).toBe(409);
  expect((await desk(strategy)).proposals).toMatchObject([{ action: 'retire', status: 'over' }]);
});

test('the desk of a strategy is for staff of the provider alone, and shows nobody’s private drafts', async () => {
  const strategy = await publishedStrategy(app, { definition });
  const client = await signedInPerson(app);
  const ofClient = await publishedStrategy(app, { owner: client.id });
  expect((await request({ url: `/api/operations/catalogue/${strategy}/`, token: client.token })).status).toBe(
    404,
  );
  expect((await begin(client, strategy)).status).toBe(404);
  expect((await request({ url: `/api/operations/catalogue/${ofClient}/`, token: ada.token })).status).toBe(
    404,
  );
  expect((await begin(ada, ofClient)).status).toBe(404);
});
