import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { BrokerAccountId, BrokerConnectionId, ExecutionId } from '#units/identifiers.ts';
import { instant } from '#units/instant.ts';
import { toMicro } from '#units/money.ts';
import { toQuantity } from '#units/quantity.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import { insertPerson } from '#tests/support/trading-rows.ts';
import { knownExecutions } from '../execution/fills.ts';
import { findOpening, insertOpening } from './account-openings.ts';

const { database, pool } = await testDatabase();
const person = await insertPerson(
  { database, pool, newId: randomUUID, now: () => instant(0) },
  { account: 'DU7' },
);
const id = 'DU7' as BrokerAccountId;
const account = { id, connection: person.connection as BrokerConnectionId };
const E1 = 'E1' as ExecutionId;
const OPENING = {
  at: instant(1_000),
  cash: toMicro(12.5),
  currency: 'USD',
  holdings: [{ symbol: 'AAA', units: toQuantity(-3) }],
  executions: [E1],
};

it('is written once, by whichever of several looks is first', async () => {
  const written = await Promise.all(
    [1, 2, 3].map((nth) =>
      database
        .transaction()
        .execute((trx) => insertOpening(trx, account, { ...OPENING, cash: toMicro(nth) })),
    ),
  );
  expect(written.toSorted()).toEqual(['recorded', 'repeated', 'repeated']);
  expect(await findOpening(database, id)).toEqual({
    at: OPENING.at,
    cash: toMicro(written.indexOf('recorded') + 1),
    currency: 'USD',
  });
  const { rows } = await pool.query(
    `select kind, symbol, side, quantity::float from suspense_entries where account_id = 'DU7'`,
  );
  expect(rows).toEqual([{ kind: 'opening', symbol: 'AAA', side: 'sell', quantity: 3 }]);
});

it('makes its executions known: they are never booked', async () => {
  expect(await knownExecutions(database, id, [E1, 'E2' as ExecutionId])).toEqual(new Set([E1]));
});
