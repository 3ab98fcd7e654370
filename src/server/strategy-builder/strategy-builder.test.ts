import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { storeMarket } from '../../../tests/support/committed-strategy.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { signedInPerson, type TestPerson } from '../../../tests/support/test-person.ts';

const app = await testApp();
const { request, records } = app;
const bars = await storeMarket(records.database);
app.world.marketNow = bars[599]!.closedAt;

const CONTROLS = {
  mode: 'ui',
  asset_class: 'equity',
  risk_level: 'medium',
  max_drawdown: 15,
  target_return: 20,
  minimum_investment: 10_000,
};
const build = ({ token }: TestPerson, body: object, headers = {}) =>
  request({ method: 'POST', url: '/api/strategies/builder/', token, body, headers });
const described = (person: TestPerson, description: string) => build(person, { mode: 'ai', description });
const tune = ({ token }: TestPerson, id: string, body: object) =>
  request({ method: 'POST', url: `/api/strategies/${id}/tune/`, token, body });
const drafts = async ({ token }: TestPerson) =>
  (await request({ url: '/api/strategies/drafts/', token })).body;

test('the controls become a draft of one’s own, and its backtest begins', async () => {
  const person = await signedInPerson(app);
  const { status, body } = await build(person, CONTROLS);
  expect(status).toBe(201);
  expect(body.draft).toMatchObject({
    status: 'draft',
    version: 1,
    asset_class: 'equity',
    min_investment: 10_000,
  });
  expect(body.backtest).toMatchObject({
    strategy_id: body.draft.id,
    version_id: body.draft.version_id,
    kind: 'backtest',
    status: 'queued',
  });
  expect(await drafts(person)).toEqual([body.draft]);
  expect(await drafts(await signedInPerson(app))).toEqual([]);
});

test('a description becomes a draft that keeps its words', async () => {
  const person = await signedInPerson(app);
  const text = 'Trend following on shares, 100-day average, stop loss 8%';
  const { status, body } = await described(person, text);
  expect(status).toBe(201);
  expect(body.draft).toMatchObject({
    description: text,
    strategy_type: 'trend_following',
    definition: { features: { trend: { length: 100 } }, exits: { stopPercent: 8 } },
  });
});

test.each([
  ['', 'Describe what to trade and how, such as: trend following on crypto.'],
  ['make me rich', 'Not understood: “make me rich”.'],
])('a description that says nothing is refused with what was not understood: %j', async (text, sentence) => {
  const person = await signedInPerson(app);
  const { status, body } = await described(person, text);
  expect(status).toBe(422);
  expect(body).toMatchObject({ code: 'description_unclear', field: 'description' });
  expect(body.message).toContain(sentence);
  expect(await drafts(person)).toEqual([]);
});

test.each([
  [{ max_drawdown: 4 }, 'max_drawdown'],
  [{ max_drawdown: 31 }, 'max_drawdown'],
  [{ target_return: 9 }, 'target_return'],
  [{ target_return: 51 }, 'target_return'],
  [{ minimum_investment: 999 }, 'minimum_investment'],
  [{ minimum_investment: 1_000.5 }, 'minimum_investment'],
  [{ asset_class: 'art' }, 'asset_class'],
  [{ mode: 'magic' }, 'mode'],
])('%j is refused and names its field', async (change, field) => {
  const person = await signedInPerson(app);
  const { status, body } = await build(person, { ...CONTROLS, ...change });
  expect([status, body.code, body.field]).toEqual([400, 'invalid_field', field]);
});

test('an asset class without prices is refused', async () => {
  const { status, body } = await build(await signedInPerson(app), { ...CONTROLS, asset_class: 'futures' });
  expect([status, body.code]).toEqual([422, 'definition_invalid']);
});

test('a repeated press makes one draft', async () => {
  const person = await signedInPerson(app);
  const headers = { 'idempotency-key': randomUUID() };
  const first = await build(person, CONTROLS, headers);
  expect((await build(person, CONTROLS, headers)).body).toEqual(first.body);
  expect(await drafts(person)).toHaveLength(1);
});

test('other numbers are a new version with a backtest; the same ones change nothing', async () => {
  const person = await signedInPerson(app);
  const { draft } = (await described(person, 'Trend following on shares')).body;
  const tuned = await tune(person, draft.id, { values: { 'features.trend.length': 120 } });
  expect(tuned.status).toBe(200);
  expect(tuned.body.draft).toMatchObject({
    version: 2,
    definition: { features: { trend: { length: 120 } } },
  });
  expect(tuned.body.backtest).toMatchObject({ version_id: tuned.body.draft.version_id });
  const again = await tune(person, draft.id, { values: { 'features.trend.length': 120 } });
  expect(again.body).toMatchObject({ draft: { version: 2 }, backtest: null });
  const named = await tune(person, draft.id, { name: 'My trend' });
  expect(named.body).toMatchObject({ draft: { name: 'My trend', version: 2 }, backtest: null });
});

test('a number that cannot be, or that is not there, is refused with its place; a foreign draft is not there', async () => {
  const person = await signedInPerson(app);
  const { draft } = (await described(person, 'Trend following on shares')).body;
  expect((await tune(person, draft.id, { values: { 'features.trend.length': -3 } })).body).toMatchObject({
    code: 'definition_invalid',
    field: 'values.features.trend.length',
  });
  expect((await tune(person, draft.id, { values: { 'features.none.length': 3 } })).status).toBe(422);
  expect((await tune(await signedInPerson(app), draft.id, {})).status).toBe(404);
  expect((await tune(person, randomUUID(), {})).status).toBe(404);
});

test('a plan without the builder refuses it and names those that have it', async () => {
  const person = await signedInPerson(app);
  const plan = { plan: 'basic', interval: 'monthly' };
  await request({ method: 'POST', url: '/api/billing/plan/', token: person.token, body: plan });
  expect((await build(person, CONTROLS)).body).toMatchObject({
    code: 'plan_limit',
    message: 'The Basic plan does not include the custom strategy builder. Choose Pro or Enterprise.',
  });
});

test('the instruments that can be built on are told to the signed-in', async () => {
  const person = await signedInPerson(app);
  const { body } = await request({ url: '/api/strategies/builder/instruments/', token: person.token });
  expect(body.length).toBeGreaterThan(0);
  expect(body[0]).toEqual({ symbol: expect.any(String), name: expect.any(String), kind: 'equity' });
  expect((await request({ url: '/api/strategies/builder/instruments/' })).status).toBe(401);
});
