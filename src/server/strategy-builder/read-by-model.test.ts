// A description read by a language model: what is built from it, what is asked back, what it may cost, and that the grammar stands
// whenever the model does not.
import { expect, test } from 'vitest';
import { resultTools, storeMarket } from '#tests/support/committed-strategy.ts';
import { renewResult } from '#results/renew-result.ts';
import { findMeasuredStrategy } from '#records/strategies/strategies.ts';
import { parseDefinition } from '#engine/strategy/parsing/parse-definition.ts';
import { answers, fails, proposal, scriptedModel, when } from '#tests/support/scripted-model.ts';
import { testApp } from '#tests/support/test-app.ts';
import { signedInPerson, type TestPerson } from '#tests/support/test-person.ts';
import { grammarReason } from '#rules/strategy-builder/model-sentences.ts';
import { findSpending } from '#records/strategy-builder/model-readings.ts';
import type { StrategyId, UserId } from '#units/identifiers.ts';
import { DAY_MS, instant } from '#units/instant.ts';
import { type Micro, toMicro } from '#units/money.ts';
import { dayOf } from './read-by-model.ts';

const model = scriptedModel();
const app = await testApp({}, undefined, { languageModel: model.languageModel });
const { request, records } = app;
const bars = await storeMarket(records.database);
app.world.marketNow = bars[599]!.closedAt;
const { rows: listed } = await records.pool.query<{ symbol: string }>(
  `select symbol from instruments where kind = 'equity' order by symbol`,
);
const [ONE = ''] = listed.map(({ symbol }) => symbol);
const DESCRIPTION = `Hold ${ONE} while it is above its 50-day average`;
const fitting = (given = {}) => proposal({ instruments: [ONE], ...given });

type Body = Readonly<Record<string, unknown>>;
const post = ({ token }: TestPerson, url: string, body: Body) =>
  request({ method: 'POST', url, token, body });
const read = (person: TestPerson, body: Body) => post(person, '/api/strategies/builder/readings/', body);
const build = (person: TestPerson, body: Body) =>
  post(person, '/api/strategies/builder/', { mode: 'ai', ...body });
const readFrom = async (person: TestPerson, said: object, ...script: Parameters<typeof answers>[]) => {
  model.script = script.map(([object]) => answers(object));
  return (await read(person, said as Body)).body;
};

test('a reading is kept with its cost, and a draft is built from it with every word', async () => {
  const person = await signedInPerson(app);
  const { id, ...reading } = await readFrom(person, { description: DESCRIPTION }, [fitting()]);
  expect(reading).toMatchObject({ read_by: 'model', because: null, model: 'stand-in', is_stand_in: true });
  expect(reading.calls).toEqual([
    expect.objectContaining({ round: 1, outcome: 'object', tokens_in: 1_000, tokens_out: 200, cost: 0.006 }),
  ]);
  expect(reading.prompt_hash).toMatch(/^[0-9a-f]{64}$/);
  const { status, body } = await build(person, { description: DESCRIPTION, reading: id });
  expect(status).toBe(201);
  expect(body.draft.definition).toMatchObject({ universe: [ONE], features: { average: { length: 50 } } });
  const url = `/api/strategies/${body.draft.id}/words/`;
  const words = (await request({ url, token: person.token })).body;
  expect(words).toEqual([
    expect.objectContaining({
      version: 1,
      messages: [DESCRIPTION],
      answers: [],
      reading: expect.objectContaining({ id, prompt_hash: reading.prompt_hash }),
    }),
  ]);
});

/** Once its newest version has a result, as the worker makes it. */
async function roleOf(person: TestPerson, id: string): Promise<unknown> {
  const { rows } = await records.pool.query(
    'select id, definition from strategy_versions where strategy_id = $1 order by number desc limit 1',
    [id],
  );
  const parsed = parseDefinition(rows[0].definition);
  if (!parsed.ok) throw new Error('its rules cannot be read');
  const committedAt = bars[599]!.closedAt;
  const version = { strategyId: id as StrategyId, versionId: rows[0].id, committedAt };
  const { definition } = parsed;
  await renewResult(resultTools(records.database, committedAt), { ...version, definition });
  const measured = await findMeasuredStrategy(records.database, id as StrategyId);
  const shown = await request({ url: `/api/strategies/${id}/`, token: person.token });
  expect(shown.body.model_role).toBe(measured!.isWrittenByModel ? 'wrote_rules' : 'none');
  return shown.body.model_role;
}

test('rules that a model wrote are said to be, also once a person has changed their numbers', async () => {
  const person = await signedInPerson(app);
  const { id: reading } = await readFrom(person, { description: DESCRIPTION }, [fitting()]);
  const written = (await build(person, { description: DESCRIPTION, reading })).body.draft;
  const heard = (await build(person, { description: DESCRIPTION })).body.draft;
  expect(await roleOf(person, written.id)).toBe('wrote_rules');
  expect(await roleOf(person, heard.id)).toBe('none');
  const tune = (id: string) =>
    post(person, `/api/strategies/${id}/tune/`, { values: { 'features.average.length': 60 } });
  expect((await tune(written.id)).status).toBe(200);
  expect((await tune(heard.id)).status).toBe(200);
  const { rows } = await records.pool.query(
    'select written_by_model from strategy_versions where strategy_id = $1 order by number',
    [written.id],
  );
  expect(rows.map(({ written_by_model }) => written_by_model)).toEqual([true, false]);
  expect(await roleOf(person, written.id)).toBe('wrote_rules');
  expect(await roleOf(person, heard.id)).toBe('none');
});

test('what the parser refuses goes back with its own sentences, and the repair is taken', async () => {
  const person = await signedInPerson(app);
  const before = model.asked.length;
  const broken = fitting({ enter_long: when('close', 'above', 'no_such_feature') });
  const reading = await readFrom(person, { description: DESCRIPTION }, [broken], [fitting()]);
  expect(reading.read_by).toBe('model');
  expect(reading.calls.map(({ round }: { round: number }) => round)).toEqual([1, 2]);
  const [, second] = model.asked.slice(before);
  expect(second!.messages.map(({ role }) => role)).toEqual(['person', 'model', 'person']);
  expect(second!.messages.at(-1)!.text).toContain('rule.enterLong.right');
});

test('after three rounds without a definition the grammar stands', async () => {
  const person = await signedInPerson(app);
  const before = model.asked.length;
  const reading = await readFrom(person, { description: DESCRIPTION }, [fitting({ instruments: ['NOPE'] })]);
  expect(reading).toMatchObject({ read_by: 'grammar', because: grammarReason('unfit'), proposal: null });
  expect(model.asked.length - before).toBe(3);
  const { status } = await build(person, { description: DESCRIPTION, reading: reading.id });
  expect(status).toBe(422);
  expect((await build(person, { description: DESCRIPTION })).status).toBe(201);
});

test.each(['refused', 'truncated', 'unreachable', 'too_slow', 'over_limit', 'denied'] as const)(
  'a model that ends with %s leaves the grammar standing, in a sentence',
  async (outcome) => {
    const person = await signedInPerson(app);
    model.script = [fails(outcome)];
    const { status, body } = await read(person, { description: DESCRIPTION });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      read_by: 'grammar',
      because: grammarReason(outcome),
      messages: [DESCRIPTION],
      calls: [{ round: 1, outcome }],
    });
  },
);

test('an answer that is malformed is asked for again', async () => {
  const person = await signedInPerson(app);
  model.script = [fails('malformed'), answers(fitting())];
  const { body } = await read(person, { description: DESCRIPTION });
  expect(body).toMatchObject({ read_by: 'model', calls: [{ outcome: 'malformed' }, { outcome: 'object' }] });
});

test('where the two readings differ nothing is built until it is decided, and the decision is kept', async () => {
  const person = await signedInPerson(app);
  const turned = fitting({
    enter_long: when('close', 'below', 'average'),
    exit_long: when('close', 'above', 'average'),
  });
  const { id } = await readFrom(person, { description: DESCRIPTION }, [turned]);
  const refused = await build(person, { description: DESCRIPTION, reading: id });
  expect(refused.status).toBe(422);
  expect(refused.body).toMatchObject({ code: 'description_unclear', field: 'decisions' });
  const { differences } = refused.body.details;
  expect(differences).toEqual([
    expect.objectContaining({
      heard: 'buys when the close is above the 50-day average',
      proposed: 'buys when the close is below the 50-day average',
    }),
  ]);
  const take = (choice: string) =>
    differences.map((one: { id: string }) => ({ difference: one.id, take: choice }));
  const asked = { description: DESCRIPTION, reading: id };
  const heard = await build(person, { ...asked, decisions: take('heard') });
  expect(heard.body.draft.definition.rule.enterLong.op).toBe('above');
  const proposed = await build(person, { ...asked, decisions: take('proposed') });
  expect(proposed.body.draft.definition.rule.enterLong.op).toBe('below');
});

test('a reading is good for its own words and its own person', async () => {
  const [person, stranger] = [await signedInPerson(app), await signedInPerson(app)];
  const { id } = await readFrom(person, { description: DESCRIPTION }, [fitting()]);
  const said = 'The language model has not read these words.';
  const other = await build(person, { description: `${DESCRIPTION}, weekly`, reading: id });
  expect(other.body).toMatchObject({ code: 'description_unclear', field: 'reading' });
  expect(other.body.message).toContain(said);
  expect((await build(stranger, { description: DESCRIPTION, reading: id })).body.message).toContain(said);
  const url = `/api/strategies/builder/readings/${id}/`;
  expect((await request({ url, token: stranger.token })).status).toBe(404);
});

test('sentences change the draft, and numbers that were moved by hand stay', async () => {
  const person = await signedInPerson(app);
  const description = `${DESCRIPTION}, with a stop loss of 8%`;
  const { body } = await build(person, { description });
  const { id } = body.draft;
  await post(person, `/api/strategies/${id}/tune/`, { values: { 'exits.stopPercent': 5 } });
  const revised = await post(person, `/api/strategies/${id}/revise/`, {
    description,
    further: ['make it weekly'],
  });
  expect(revised.status).toBe(200);
  expect(revised.body.draft).toMatchObject({
    version: 3,
    definition: { schedule: { every: 'week' }, exits: { stopPercent: 5 } },
  });
  const again = await post(person, `/api/strategies/${id}/revise/`, {
    description,
    further: ['make it weekly', 'stop loss 12%'],
  });
  expect(again.body.draft.definition.exits.stopPercent).toBe(12);
});

test('a person’s day has a limit of calls that many requests at once cannot pass', async () => {
  const few = scriptedModel({ calls: 3, tokens: 100_000_000, money: toMicro(1_000) });
  few.script = [answers(fitting())];
  const { languageModel } = app.dependencies;
  Object.assign(app.dependencies, { languageModel: few.languageModel });
  try {
    const person = await signedInPerson(app);
    const all = await Promise.all(
      Array.from({ length: 9 }, () => read(person, { description: DESCRIPTION })),
    );
    const byModel = all.filter(({ body }) => body.read_by === 'model');
    expect(byModel).toHaveLength(3);
    expect(few.asked).toHaveLength(3);
    const [first] = all.filter(({ body }) => body.read_by === 'grammar');
    expect(first!.body).toMatchObject({ because: grammarReason('calls'), calls: [] });
    expect(
      (await request({ url: '/api/strategies/builder/model/', token: person.token })).body.model,
    ).toMatchObject({
      daily: { calls: 3 },
      spent: { calls: 3, tokens: 3_600, money: 0.018 },
    });
    const { rows } = await records.pool.query<{ user_id: UserId }>(
      'select user_id from model_calls order by asked_at desc, id limit 1',
    );
    const tomorrow = dayOf(instant(app.world.now + DAY_MS));
    expect(await findSpending(records.database, rows[0]!.user_id, tomorrow)).toMatchObject({
      calls: 0,
      money: 0,
    });
  } finally {
    Object.assign(app.dependencies, { languageModel });
  }
});

test.each([
  ['tokens', { calls: 10, tokens: 5_000, money: toMicro(1_000) }],
  ['money', { calls: 10, tokens: 100_000_000, money: 100 as Micro }],
] as const)('what could pass the limit of %s is not asked', async (what, daily) => {
  const poor = scriptedModel(daily);
  const { languageModel } = app.dependencies;
  Object.assign(app.dependencies, { languageModel: poor.languageModel });
  try {
    const { body } = await read(await signedInPerson(app), { description: DESCRIPTION });
    expect(body).toMatchObject({ read_by: 'grammar', because: grammarReason(what), calls: [] });
    expect(poor.asked).toEqual([]);
  } finally {
    Object.assign(app.dependencies, { languageModel });
  }
});

test('a call that nobody settled counts as it was reserved', async () => {
  const person = await signedInPerson(app);
  model.script = [{ outcome: 'too_slow', detail: 'as scripted', usage: null, answeredBy: null }];
  const { body } = await read(person, { description: DESCRIPTION });
  expect(body.calls[0]).toMatchObject({ tokens_in: null, tokens_out: null });
  expect(body.calls[0].cost).toBeGreaterThan(0.06);
  const { body: now } = await request({ url: '/api/strategies/builder/model/', token: person.token });
  expect(now.model.spent.money).toBe(body.calls[0].cost);
});

test('rows of a reading never change', async () => {
  const person = await signedInPerson(app);
  await readFrom(person, { description: DESCRIPTION }, [fitting()]);
  for (const change of [
    `update model_readings set because = 'x'`,
    `update model_calls set round = 9`,
    `update model_answers set tokens_in = 0`,
  ])
    await expect(records.pool.query(change)).rejects.toThrow('append-only');
});
