import { expect, test } from 'vitest';
import type { LedgerEntry } from '#engine/execution/deployment/ledger-posting.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import { BOTH_ABOVE_30, tradingWorld } from '#tests/support/trading-world.ts';
import { micro, ZERO_MICRO } from '#units/money.ts';
import { postTransaction } from './ledger.ts';

test('a booking that moves no money has an entry, and so a place among the others', async () => {
  const handle = await testDatabase();
  const world = await tradingWorld(handle);
  const deploymentId = await world.deploy(await world.addStrategy(BOTH_ABOVE_30));
  await world.trader.close();
  const at = world.market.now();
  const post = (cause: string, ...entries: LedgerEntry[]) =>
    handle.database
      .transaction()
      .execute((trx) => postTransaction(trx, { deploymentId, kind: 'fill', cause, at, entries }));
  await post('first', { account: 'cash', amount: ZERO_MICRO }, { account: 'commission', amount: ZERO_MICRO });
  await post('second', { account: 'cash', amount: micro(5) }, { account: 'commission', amount: micro(-5) });
  const { rows } = await handle.pool.query(
    `select t.cause, e.ledger_account as account, e.amount_micro as amount from ledger_entries e
     join ledger_transactions t on t.id = e.transaction_id where t.kind = 'fill' order by e.id`,
  );
  expect(rows).toEqual([
    { cause: 'first', account: 'cash', amount: '0' },
    { cause: 'second', account: 'cash', amount: '5' },
    { cause: 'second', account: 'commission', amount: '-5' },
  ]);
});
