import { expect, test } from 'vitest';
import { equityInstrument, instrumentMap } from '#tests/support/engine/random-market.ts';
import type { IntradayFeed } from '#ports/market-data.ts';
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

test('a version of hours is traded where the feed has hours of what it reads, and nowhere else: they would be read as days', () => {
  const feed: IntradayFeed = {
    intervals: (kind) => (kind === 'equity' ? ['30m', '1h'] : []),
    bars: () => Promise.reject(new Error('nobody asks')),
  };
  expect(tradedVersion(recordOf({}), INSTRUMENTS)).toMatchObject({ calendar: 'us-equity' });
  expect(tradedVersion(recordOf({ interval: '1h' }), INSTRUMENTS, feed)).toMatchObject({
    definition: { interval: '1h' },
  });
  const refusal = (interval: string) =>
    new Error(`it reads bars of ${interval}, and the feed has none of AAA`);
  expect(tradedVersion(recordOf({ interval: '5m' }), INSTRUMENTS, feed)).toEqual(refusal('5m'));
  expect(tradedVersion(recordOf({ interval: '1h' }), INSTRUMENTS)).toEqual(refusal('1h'));
});
