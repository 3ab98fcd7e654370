import type { Kysely } from 'kysely';
import { expect, test } from 'vitest';
import type { Tables } from '#records/tables.ts';
import { readDefinition } from './read-definition.ts';

/** It is refused before a record is read. */
const NO_RECORDS = {} as Kysely<Tables>;

test('a strategy of minutes is refused in words, since the market data here has days only', async () => {
  const definition = {
    language: 'bellwether-strategy/1',
    name: 'Minutes',
    universe: ['AAA'],
    benchmark: 'AAA',
    interval: '5m',
    rule: { type: 'signals', enterLong: { op: 'above', left: 'close', right: 1 } },
  };
  expect(await readDefinition(NO_RECORDS, JSON.stringify(definition))).toMatchObject({
    code: 'definition_invalid',
    details: { errors: [{ path: 'interval', message: expect.stringContaining('days only') }] },
  });
});
