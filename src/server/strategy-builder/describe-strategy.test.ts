import { expect, test } from 'vitest';
import { storeMarket } from '#tests/support/committed-strategy.ts';
import { testApp } from '#tests/support/test-app.ts';
import { signedInPerson, type TestPerson } from '#tests/support/test-person.ts';

const app = await testApp();
const { request, records } = app;
const bars = await storeMarket(records.database);
app.world.marketNow = bars[599]!.closedAt;

const build = ({ token }: TestPerson, body: object) =>
  request({ method: 'POST', url: '/api/strategies/builder/', token, body });
const described = (person: TestPerson, description: string) => build(person, { mode: 'ai', description });
const drafts = async ({ token }: TestPerson) =>
  (await request({ url: '/api/strategies/drafts/', token })).body;

test('a description becomes a draft that keeps its words', async () => {
  const person = await signedInPerson(app);
  const text = 'Trend following on shares, 100-day average, stop loss 8%';
  const { status, body } = await described(person, text);
  expect(status).toBe(201);
  expect(body.draft).toMatchObject({
    description: text,
    strategy_type: 'trend_following',
    definition: { features: { average: { length: 100 } }, exits: { stopPercent: 8 } },
  });
});

test.each([
  ['', 'Describe what to trade and how, such as: hold bitcoin while it is above its 50-day average.'],
  ['make me rich and happy', 'This does not read as a description of a strategy.'],
  ['Hold shares above their 50-day average in purple', 'It is about “purple”.'],
  ['Never buy shares on a Friday', 'This says what is not wanted in a way that is not understood'],
])('a description that says nothing is refused with what was not understood: %j', async (text, sentence) => {
  const person = await signedInPerson(app);
  const { status, body } = await described(person, text);
  expect(status).toBe(422);
  expect(body).toMatchObject({ code: 'description_unclear', field: 'description' });
  expect(body.message).toContain(sentence);
  expect(await drafts(person)).toEqual([]);
});

test('answers and further sentences are read with the description, and kept with the draft', async () => {
  const person = await signedInPerson(app);
  const description = 'Shares above their 100-day average with a trailing stop';
  const first = await described(person, description);
  expect(first.status).toBe(422);
  expect(first.body.details.questions).toEqual([
    expect.objectContaining({ words: ['trailing stop'], choices: [{ label: 'Leave it out', says: '' }] }),
  ]);
  const answers = [{ about: 'trailing stop', says: '' }];
  const { status, body } = await build(person, {
    mode: 'ai',
    description,
    further: ['make it weekly'],
    answers,
  });
  expect(status).toBe(201);
  expect(body.draft).toMatchObject({
    description: `${description}\nmake it weekly\n“trailing stop”: left out`,
    definition: { schedule: { every: 'week' }, exits: {} },
  });
});
