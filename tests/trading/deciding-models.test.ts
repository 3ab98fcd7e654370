// A model decides within a tick: asked once for each close, across crashes, and without an answer its rule holds or sells, as it says.
import { afterAll, expect, test } from 'vitest';
import type { ModelAnswer } from '#ports/language-model.ts';
import { allOn, decidingModel, type DecidingModel, saying } from '#tests/support/deciding-model.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import { BOTH_ABOVE_30, tradingWorld } from '#tests/support/trading-world.ts';

const handle = await testDatabase();
const world = await tradingWorld(handle);
const { market } = world;
afterAll(() => world.trader.close());

const query = async (text: string, ...values: unknown[]) => (await handle.pool.query(text, values)).rows;

let named = 0;
/** A strategy that a model of its own decides, at the end of each day. */
async function decided(rule: object = {}) {
  named += 1;
  const model = decidingModel(() => allOn('AAA'), `stand-in-${named}`);
  const answered = (answer: ModelAnswer): ModelAnswer => ({ ...answer, answeredBy: model.port.model });
  world.deciders.push(model.port);
  const versionId = await world.addStrategy({
    ...BOTH_ABOVE_30,
    name: `Decided ${named}`,
    features: { month: { indicator: 'roc', length: 10 } },
    rule: {
      type: 'decider',
      asks: 'language_model',
      model: model.port.model,
      knowledgeUntil: '2010-01-01',
      instructions: 'Hold what rises.',
      samples: 2,
      withinSeconds: 60,
      dollarsPerMonth: 50,
      withoutAnswer: 'hold',
      ...rule,
    },
  });
  const say = (answer: ModelAnswer) => void (model.answer = () => answered(answer));
  say(allOn('AAA'));
  const deployment = await world.deploy(versionId);
  return { model, say, answered, versionId, deployment };
}

const held = async (deployment: string) =>
  (await query('select symbol from positions where deployment_id = $1 order by symbol', deployment)).map(
    ({ symbol }) => symbol,
  );
const outcomes = async (versionId: string) =>
  (
    await query(
      `select outcome from model_decision_answers where strategy_version_id = $1 order by as_of, sample`,
      versionId,
    )
  ).map(({ outcome }) => outcome);
const newest = async (versionId: string) =>
  (
    await query(
      `select weights from model_decisions where strategy_version_id = $1 order by as_of desc limit 1`,
      versionId,
    )
  )[0]?.weights;

/** The next close, and the orders that follow from it on the next day. */
async function tradeDay(): Promise<void> {
  market.closeDay();
  await world.runTicks();
  market.openDay();
  await world.runTicks(3);
}

test('the answers of a close become its orders, and each question is asked once', async () => {
  const { model, say, versionId, deployment } = await decided();
  await world.runTicks();
  const before = model.asked.length;
  await tradeDay();
  expect(await held(deployment)).toEqual(['AAA']);
  expect(model.asked.length - before).toBe(2);
  say(allOn('BBB'));
  await world.runTicks(3);
  expect(model.asked.length - before).toBe(2);
  await tradeDay();
  expect(model.asked.length - before).toBe(4);
  expect(await held(deployment)).toEqual(['BBB']);
  expect(await newest(versionId)).toEqual({ AAA: 0, BBB: 1 });
  await world.everythingHolds();
});

test('a trader that was lost while it asked is followed by one that asks nothing again', async () => {
  const { model, answered, versionId, deployment } = await decided();
  await world.runTicks();
  await tradeDay();
  const before = model.asked.length;
  // One answer comes, the other never.
  const first = model.asked.length + 1;
  model.answer = (_, nth) =>
    nth === first ? answered(allOn('BBB')) : new Promise<ModelAnswer>(() => undefined);
  market.closeDay();
  await world.trader.tick({ patienceMs: 50 });
  await expect.poll(async () => (await outcomes(versionId)).filter((one) => one === null).length).toBe(1);
  await world.restart();
  model.answer = () => answered(allOn('AAA'));
  await world.trader.tick({ patienceMs: 50 });
  expect(model.asked.length - before).toBe(2);
  // Its time is over: what came decides.
  await world.runTicks(2);
  market.openDay();
  await world.runTicks(3);
  expect(model.asked.length - before).toBe(2);
  expect(await newest(versionId)).toEqual({ AAA: 0, BBB: 1 });
  expect(await held(deployment)).toEqual(['BBB']);
  await world.everythingHolds();
});

const failures: readonly [string, string, (of: DecidingModel) => ModelAnswer][] = [
  [
    'does not answer in time',
    'too_slow',
    () => ({ outcome: 'too_slow', detail: 'as scripted', answeredBy: null, usage: null }),
  ],
  [
    'cannot be reached',
    'unreachable',
    () => ({ outcome: 'unreachable', detail: 'as scripted', answeredBy: null, usage: null }),
  ],
  ['answers nonsense', 'malformed', ({ port }) => saying({ weights: 'much' }, { answeredBy: port.model })],
  [
    'answers about what it was not asked',
    'malformed',
    ({ port }) => ({ ...allOn('GME'), answeredBy: port.model }),
  ],
  ['is another one than named', 'other_model', () => ({ ...allOn('BBB'), answeredBy: 'its-successor' })],
];

test.each(
  failures.flatMap(([why, outcome, answer]) =>
    (['hold', 'flat'] as const).map((fallback) => [why, fallback, outcome, answer] as const),
  ),
)('where a model %s, its rule does as signed: %s', async (_, withoutAnswer, outcome, answer) => {
  const { model, versionId, deployment } = await decided({ withoutAnswer });
  await world.runTicks();
  await tradeDay();
  expect(await held(deployment)).toEqual(['AAA']);
  model.answer = () => answer(model);
  await tradeDay();
  expect((await outcomes(versionId)).slice(-2)).toEqual([outcome, outcome]);
  expect(await newest(versionId)).toBeNull();
  expect(await held(deployment)).toEqual(withoutAnswer === 'hold' ? ['AAA'] : []);
  await world.everythingHolds();
});
