import { expect, test } from 'vitest';
import { optionContract, optionInstrument } from '#engine/market/option-contract.ts';
import type { IntradayFeed } from '#ports/market-data.ts';
import { saveInstruments } from '#records/market/instruments.ts';
import { equityInstrument } from '#tests/support/engine/random-market.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { IsoDate } from '#units/instant.ts';
import { readDefinition } from './read-definition.ts';

const { database } = await testDatabase();
const AAA = 'AAA' as Symbol;
const DEFINITION = {
  language: 'bellwether-strategy/1',
  name: 'Plain',
  universe: [AAA],
  benchmark: AAA,
  rule: {
    type: 'signals',
    enterLong: { op: 'above', left: 'close', right: 1 },
    exitLong: { op: 'below', left: 'close', right: 1 },
  },
  weighting: { type: 'equal', over: 'universe' },
};
const read = (more: object, intraday?: IntradayFeed) =>
  readDefinition(database, JSON.stringify({ ...DEFINITION, ...more }), intraday);

test('a strategy of minutes is taken where the feed has them, and refused in words elsewhere: it is backtested alone', async () => {
  await saveInstruments(database, [equityInstrument('AAA')], 'live');
  const refusal = (message: string) => ({
    code: 'definition_invalid',
    message: expect.stringContaining('npm run backtest'),
    details: { errors: [{ path: 'interval', message }] },
  });
  expect(await read({ interval: '5m' })).toMatchObject(refusal('is 5m, and strategies here read days'));
  const feed: IntradayFeed = {
    intervals: (kind) => (kind === 'equity' ? ['30m', '1h'] : []),
    bars: () => Promise.reject(new Error('nobody asks')),
  };
  expect(await read({ interval: '5m' }, feed)).toMatchObject(
    refusal('is 5m, and strategies here read days, 30m, 1h'),
  );
  expect(await read({ interval: '1h' }, feed)).toMatchObject({
    kind: 'equity',
    definition: { interval: '1h' },
  });
});

test('options are refused where the market lists none on the share', async () => {
  await saveInstruments(database, [equityInstrument('AAA')], 'live');
  expect(await read({})).toMatchObject({ kind: 'equity' });
  const options = { structure: 'covered_call', underlyings: [AAA], strikePercent: 102 };
  const covered = { direction: 'long_short', options };
  expect(await read(covered)).toMatchObject({
    code: 'definition_invalid',
    message: 'This market lists no options on AAA.',
    details: { errors: [{ path: 'options', message: 'are on AAA, and this market lists none on it' }] },
  });
  const terms = {
    underlying: AAA,
    right: 'call',
    strike: 102,
    expiry: '2026-12-18' as IsoDate,
    settlement: 'shares',
  } as const;
  await saveInstruments(database, [optionInstrument(optionContract(terms))], 'live');
  expect(await read(covered)).toMatchObject({ kind: 'options' });
  const inCash = { direction: 'long_short', options: { ...options, settlement: 'cash' } };
  expect(await read(inCash)).toMatchObject({
    message: 'This market lists no options that settle in cash on AAA.',
  });
});
