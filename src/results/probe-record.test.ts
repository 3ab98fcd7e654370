import { expect, test } from 'vitest';
import { decisionCloses } from '#engine/decider/decision-questions.ts';
import { seriesOf } from '#engine/strategy/feature-column.ts';
import { readModelRecord } from '#records/deciders/model-record.ts';
import { commitStrategy, resultTools, storeMarket } from '#tests/support/committed-strategy.ts';
import { decidedStrategy } from '#tests/support/decided-strategy.ts';
import { allOn, decidingModel } from '#tests/support/deciding-model.ts';
import { SAMPLE_SYMBOLS } from '#tests/support/engine/sample-definitions.ts';
import { randomSeries } from '#tests/support/engine/random-market.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import { utcDate } from '#units/instant.ts';
import { probeRecord } from './probe-record.ts';

const { database } = await testDatabase();
const bars = await storeMarket(database);
const committedAt = bars[499]!.closedAt;
const knowledgeUntil = bars[249]!.date;
const series = new Map(
  SAMPLE_SYMBOLS.map((symbol, i) => [symbol, randomSeries({ symbol, seed: 7 + i, bars: bars.length })]),
);

/** What rises most within the week after that day. */
function bestAfter(date: string): string {
  const bar = bars.findIndex((one) => one.date === date);
  const rise = (symbol: (typeof SAMPLE_SYMBOLS)[number]) => {
    const { close } = seriesOf(series, symbol);
    return close[bar + 7]! / close[bar]!;
  };
  return SAMPLE_SYMBOLS.toSorted((one, other) => rise(other) - rise(one))[0]!;
}

/** Remembers what came after a day, where it is told which day and which shares. Of later days it knows nothing. */
const remembering = () =>
  decidingModel(({ messages }) => {
    const [json = ''] = messages[0]!.text.split('\n\n');
    const { date, instruments } = JSON.parse(json) as {
      date?: string;
      instruments: { instrument: string }[];
    };
    return allOn(date !== undefined && date <= knowledgeUntil ? bestAfter(date) : instruments[0]!.instrument);
  });

test('a model that remembers is found: masked it earns less in the days that it knows, and decides otherwise', async () => {
  const model = remembering();
  const through = bars[559]!.closedAt;
  const rule = { knowledgeUntil };
  const { version } = await decidedStrategy(database, model, {
    slug: 'remembers',
    rule,
    committedAt,
    through,
  });
  const { probes } = await readModelRecord(database, version.versionId);
  expect(probes.map(({ form }) => form)).toEqual(['plain', 'masked', 'perturbed']);
  const [plain, masked, perturbed] = probes;

  const asked = decisionCloses(version.definition, series).filter((at) => at <= committedAt);
  const dates = asked.map((at) => utcDate((at - 1) as typeof at));
  // Those after the commit decide; they are no probe.
  expect(probes.map(({ decisions }) => decisions)).toEqual([asked.length, asked.length, asked.length]);
  const sameMoney = dates.filter(
    (date) => date > knowledgeUntil || bestAfter(date) === SAMPLE_SYMBOLS[0],
  ).length;
  expect(sameMoney).toBeLessThan(asked.length);
  expect(masked!.alike).toBeCloseTo(sameMoney / asked.length, 12);
  expect([plain!.alike, perturbed!.alike]).toEqual([1, 1]);
  expect(probes.map(({ agreement }) => agreement)).toEqual([1, 1, 1]);

  expect(plain!.knownAnnualReturn! - masked!.knownAnnualReturn!).toBeGreaterThan(0.5);
  expect(perturbed!.knownAnnualReturn).toBe(plain!.knownAnnualReturn);
  // It has nothing to remember there: only what it held on the last known day is another.
  expect(Math.abs(plain!.annualReturn! - masked!.annualReturn!)).toBeLessThan(0.2);
});

test('a form without answers is said to have none', async () => {
  const model = decidingModel(({ messages }) =>
    messages[0]!.text.includes('"instrument 1"')
      ? { outcome: 'refused', detail: 'as scripted', answeredBy: null, usage: null }
      : allOn('BBB'),
  );
  const rule = { knowledgeUntil };
  const { version } = await decidedStrategy(database, model, { slug: 'declines', rule, committedAt });
  const [plain, masked] = (await readModelRecord(database, version.versionId)).probes;
  expect(plain).toMatchObject({ alike: 1, agreement: 1 });
  expect(masked).toMatchObject({ alike: null, agreement: null });
  expect(masked!.decisions).toBe(plain!.decisions);
});

test('a version is probed once, and only where a model decides', async () => {
  const model = remembering();
  const rule = { knowledgeUntil };
  const { version, tools } = await decidedStrategy(database, model, { slug: 'once', rule, committedAt });
  const first = await readModelRecord(database, version.versionId);
  const asked = model.asked.length;
  await probeRecord({ ...tools, feePercent: 0, engine: 'another engine' }, version);
  expect(await readModelRecord(database, version.versionId)).toEqual(first);
  expect(model.asked).toHaveLength(asked);
  const rules = await commitStrategy(database, { slug: 'rules', committedAt });
  await probeRecord(resultTools(database, committedAt), rules);
  expect((await readModelRecord(database, rules.versionId)).probes).toEqual([]);
});
