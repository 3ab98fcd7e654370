import { expect, test } from 'vitest';
import { equityInstrument, instrumentMap } from '#tests/support/engine/random-market.ts';
import type { VersionRecord } from '#records/strategies/traded-versions.ts';
import { tradedVersion } from './traded-version.ts';

const INSTRUMENTS = instrumentMap(equityInstrument('AAA'));

const recordOf = (change: object) =>
  ({
    id: 'version',
    strategyName: 'Test',
    definitionHash: 'hash',
    definition: {
      language: 'bellwether-strategy/1',
      name: 'Test',
      universe: ['AAA'],
      benchmark: 'AAA',
      rule: { type: 'signals', enterLong: { op: 'above', left: 'close', right: 1 } },
      ...change,
    },
  }) as unknown as VersionRecord;

test('a version of days is traded, one of minutes is not: its minutes would be read as days', () => {
  expect(tradedVersion(recordOf({}), INSTRUMENTS)).toMatchObject({ calendar: 'us-equity' });
  expect(tradedVersion(recordOf({ interval: '1h' }), INSTRUMENTS)).toEqual(
    new Error('it reads bars of 1h, and the feed gives days only'),
  );
});
