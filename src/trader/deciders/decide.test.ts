import { describe, expect, test } from 'vitest';
import { deciderOf } from '#engine/decider/decider-rule.ts';
import { decisionCloses, decisionQuestion } from '#engine/decider/decision-questions.ts';
import type { ModelAnswer } from '#ports/language-model.ts';
import { listModelDecisions } from '#records/deciders/model-decisions.ts';
import { commitStrategy, storeMarket } from '#tests/support/committed-strategy.ts';
import { allOn, decidingModel, saying } from '#tests/support/deciding-model.ts';
import { deciderOfTest } from '#tests/support/engine/decider.ts';
import { randomSeries, seriesMap } from '#tests/support/engine/random-market.ts';
import { SAMPLE_SYMBOLS } from '#tests/support/engine/sample-definitions.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import type { StrategyVersionId } from '#units/identifiers.ts';
import { type WallInstant, wallAfter, wallInstant } from '#units/wall-instant.ts';
import { type AskedDecision, makeDecision } from './decide.ts';
import { recordHistory } from './record-history.ts';

const { database, owner } = await testDatabase();
const bars = await storeMarket(database);
const series = seriesMap(
  ...SAMPLE_SYMBOLS.map((symbol, i) => randomSeries({ symbol, seed: 7 + i, bars: 700 })),
);

let committed = 0;
let clock: WallInstant = wallInstant(Date.UTC(2026, 0, 1));
const realNow = () => clock;

/** A strategy, and the question of one of its closes. */
async function asking(
  rule: object = {},
  nth = 20,
): Promise<AskedDecision & { readonly versionId: StrategyVersionId }> {
  const definition = deciderOfTest({ samples: 3, ...rule });
  const slug = `decides-${committed++}`;
  const { versionId } = await commitStrategy(database, {
    slug,
    committedAt: bars[499]!.closedAt,
    definition,
  });
  const own = deciderOf(definition)!;
  const asOf = decisionCloses(definition, series)[nth]!;
  const question = decisionQuestion({ definition, rule: own }, series, asOf)!;
  return { versionId, form: 'plain', rule: own, direction: 'long', question };
}

async function rowsOf({ versionId }: { readonly versionId: StrategyVersionId }) {
  const answers = await database
    .selectFrom('model_decision_answers')
    .select(['sample', 'outcome', 'detail', 'cost_micro', 'proposed', 'answered_by'])
    .where('strategy_version_id', '=', versionId)
    .orderBy('as_of')
    .orderBy('sample')
    .execute();
  return { answers, decisions: await listModelDecisions(database, versionId) };
}

test('every answer is recorded with its cost, and the decision is their mean', async () => {
  const asked = await asking();
  const model = decidingModel((_, nth) => allOn(nth === 1 ? 'AAA' : 'BBB'));
  expect(await makeDecision({ database, deciders: [model.port], realNow }, asked)).toBe('closed');
  const { answers, decisions } = await rowsOf(asked);
  expect(answers.map(({ outcome }) => outcome)).toEqual(['object', 'object', 'object']);
  expect(decisions).toEqual([
    {
      asOf: asked.question.asOf,
      weights: { AAA: 1 / 3, BBB: 2 / 3, CCC: 0, DDD: 0 },
      cost: 18_000,
    },
  ]);
  const row = await database
    .selectFrom('model_decisions')
    .selectAll()
    .where('strategy_version_id', '=', asked.versionId)
    .executeTakeFirstOrThrow();
  expect(row).toMatchObject({
    prompt_hash: asked.question.hash,
    model: 'stand-in',
    vendor: 'anthropic',
    is_stand_in: true,
    knowledge_until: '2010-01-01',
  });
  expect(row.agreement).toBeCloseTo(1 / 3);
});

describe('nobody asks twice', () => {
  test('a decision that was made is not made again', async () => {
    const asked = await asking();
    const model = decidingModel();
    const tools = { database, deciders: [model.port], realNow };
    await makeDecision(tools, asked);
    model.answer = () => allOn('DDD');
    await makeDecision(tools, asked);
    expect(model.asked).toHaveLength(3);
    expect((await rowsOf(asked)).decisions[0]!.weights).toMatchObject({ AAA: 1, DDD: 0 });
  });

  test('two at once ask each question once, and end with one decision', async () => {
    const asked = await asking();
    const model = decidingModel(async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return allOn('AAA');
    });
    const tools = { database, deciders: [model.port], realNow };
    const made = await Promise.all([1, 2, 3].map(() => makeDecision(tools, asked)));
    expect(made).toContain('closed');
    expect(model.asked).toHaveLength(3);
    expect((await rowsOf(asked)).decisions).toHaveLength(1);
  });

  test('what a process that was lost had asked is never asked again; the others are, and count once the time is over', async () => {
    const asked = await asking({ withinSeconds: 60 });
    const lost = decidingModel((_, nth) =>
      nth === 1 ? new Promise<ModelAnswer>(() => undefined) : allOn('BBB'),
    );
    void makeDecision({ database, deciders: [lost.port], realNow }, asked);
    await expect
      .poll(async () => (await rowsOf(asked)).answers.filter(({ outcome }) => outcome).length)
      .toBe(2);
    const next = decidingModel(() => allOn('DDD'));
    const tools = { database, deciders: [next.port], realNow };
    expect(await makeDecision(tools, asked)).toBe('open');
    expect((await rowsOf(asked)).decisions).toEqual([]);
    clock = wallAfter(clock, 61_000);
    expect(await makeDecision(tools, asked)).toBe('closed');
    expect(next.asked).toHaveLength(0);
    const { decisions } = await rowsOf(asked);
    expect(decisions[0]!.weights).toMatchObject({ BBB: 1, DDD: 0 });
    // The lost one counts as it was reserved.
    expect(decisions[0]!.cost).toBeGreaterThan(12_000 + 2_000 * 15);
  });

  test('an answer that comes after its time changes nothing', async () => {
    const asked = await asking({ withinSeconds: 60, samples: 1 });
    let arrive: (answer: ModelAnswer) => void = () => undefined;
    const slow = decidingModel(() => new Promise<ModelAnswer>((resolve) => (arrive = resolve)));
    const late = makeDecision({ database, deciders: [slow.port], realNow }, asked);
    await expect.poll(() => slow.asked.length).toBe(1);
    clock = wallAfter(clock, 61_000);
    expect(await makeDecision({ database, deciders: [], realNow }, asked)).toBe('closed');
    arrive(allOn('AAA'));
    expect(await late).toBe('closed');
    const { answers, decisions } = await rowsOf(asked);
    expect(decisions[0]!.weights).toBeNull();
    expect(answers[0]).toMatchObject({ outcome: 'object', proposed: [10_000, 0, 0, 0] });
  });

  test('the record cannot be changed or emptied', async () => {
    const asked = await asking();
    await makeDecision({ database, deciders: [decidingModel().port], realNow }, asked);
    for (const statement of [
      "update model_decisions set weights = '{}'",
      'delete from model_decisions',
      'truncate model_decisions cascade',
      'update model_decision_answers set proposed = null',
      'delete from model_decision_answers',
    ])
      await expect(owner.query(statement), statement).rejects.toThrow(/written once|append-only/);
  });
});

describe('is no answer, and leaves the fallback', () => {
  test.each<[string, ModelAnswer, string]>([
    ['another model', saying({ weights: [] }, { answeredBy: 'stand-in-2' }), 'other_model'],
    ['an order in place of weights', saying({ orders: [{ buy: 'AAA', all: true }] }), 'malformed'],
    ['an instrument from outside', saying({ weights: [{ instrument: 'GME', percent: 100 }] }), 'malformed'],
    ['ten times the money', saying({ weights: [{ instrument: 'AAA', percent: 1_000 }] }), 'malformed'],
    [
      'an outage',
      { outcome: 'unreachable', detail: 'no connection', usage: null, answeredBy: null },
      'unreachable',
    ],
    ['a late one', { outcome: 'too_slow', detail: 'late', usage: null, answeredBy: null }, 'too_slow'],
  ])('%s', async (_, answer, outcome) => {
    const asked = await asking({ samples: 1 });
    await makeDecision({ database, deciders: [decidingModel(() => answer).port], realNow }, asked);
    const { answers, decisions } = await rowsOf(asked);
    expect(answers).toMatchObject([{ outcome, proposed: null }]);
    expect(decisions).toMatchObject([{ asOf: asked.question.asOf, weights: null }]);
  });

  test('a model that is not connected, or of another ID', async () => {
    const asked = await asking({ samples: 1 });
    const other = decidingModel(() => allOn('AAA'), 'stand-in-2');
    await makeDecision({ database, deciders: [other.port], realNow }, asked);
    expect(other.asked).toHaveLength(0);
    expect(await rowsOf(asked)).toMatchObject({
      answers: [{ outcome: 'no_model' }],
      decisions: [{ weights: null }],
    });
  });

  test('a used-up budget: nothing is asked beyond it', async () => {
    const asked = await asking({ dollarsPerMonth: 0.08 });
    let arrive: () => void = () => undefined;
    const all = new Promise<void>((resolve) => (arrive = resolve));
    const model = decidingModel(async () => {
      await all;
      return allOn('AAA');
    });
    const made = makeDecision({ database, deciders: [model.port], realNow }, asked);
    // Each may cost nearly four cents until it has been answered, so two fit.
    await expect.poll(async () => (await rowsOf(asked)).answers.length).toBe(3);
    arrive();
    await made;
    expect(model.asked).toHaveLength(2);
    const { answers, decisions } = await rowsOf(asked);
    expect(answers.filter(({ outcome }) => outcome === 'over_budget')).toHaveLength(1);
    expect(decisions[0]!.cost).toBe(12_000);
  });
});

test('one good answer of three is a decision: the others are left out of the mean', async () => {
  const asked = await asking();
  const model = decidingModel((_, nth) => (nth === 2 ? allOn('CCC') : saying('Buy everything')));
  await makeDecision({ database, deciders: [model.port], realNow }, asked);
  expect((await rowsOf(asked)).decisions[0]!.weights).toMatchObject({ CCC: 1 });
});

test('a past is asked once for each close and form, also by a seed that begins again', async () => {
  const definition = deciderOfTest({ samples: 1 }, { schedule: { every: 'month' } });
  const slug = 'has-a-past';
  const { versionId } = await commitStrategy(database, {
    slug,
    committedAt: bars[499]!.closedAt,
    definition,
  });
  const model = decidingModel();
  const span = { series, from: bars[100]!.closedAt, through: bars[499]!.closedAt };
  const tools = { database, deciders: [model.port], realNow };
  await recordHistory(tools, { versionId, definition }, span);
  const asked = model.asked.length;
  const closes = decisionCloses(definition, series).filter((at) => at >= span.from && at <= span.through);
  expect(asked).toBe(closes.length * 3);
  await recordHistory(tools, { versionId, definition }, span);
  expect(model.asked).toHaveLength(asked);
  expect((await listModelDecisions(database, versionId)).map(({ asOf }) => asOf)).toEqual(closes);
});
