import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { testDatabase } from '../../../tests/support/test-database.ts';

const { pool } = await testDatabase();

async function deployment(): Promise<string> {
  const [user, strategy, version, broker, connection, id] = Array.from({ length: 6 }, () => randomUUID());
  await pool.query(`insert into users (id, email, password_hash, first_name) values ($1, $2, 'x', 'A')`, [
    user,
    `${user}@example.test`,
  ]);
  await pool.query(
    `insert into strategies (id, slug, name, short_description, description, kind, strategy_type, market, risk_level, risk_score, min_investment_micro)
     values ($1, $1::uuid::text, 'n', 's', 'd', 'equity', 'momentum', 'us', 'low', 1, 1)`,
    [strategy],
  );
  await pool.query(
    `insert into strategy_versions (id, strategy_id, number, definition, definition_hash, committed_at) values ($1, $2, 1, '{}', 'h', now())`,
    [version, strategy],
  );
  await pool.query(
    `insert into brokers (id, slug, name, logo, description, broker_type, supported_assets, status, position) values ($1, $1::uuid::text, 'b', '', '', '', '{}', 'available', 1)`,
    [broker],
  );
  await pool.query(
    `insert into broker_connections (id, user_id, broker_id, status, expires_at) values ($1, $2, $3, 'active', now())`,
    [connection, user, broker],
  );
  await pool.query(
    `insert into deployments (id, user_id, strategy_id, strategy_version_id, broker_connection_id, status, investment_micro, stop_loss_percentage,
       max_allocation_percent, freeze_on_drawdown_percent, cash_micro, equity_micro, peak_equity_micro, high_water_mark_micro, deployed_at)
     values ($1, $2, $3, $4, $5, 'active', 1, 5, 5, 5, 1, 1, 1, 1, now())`,
    [id, user, strategy, version, connection],
  );
  return id!;
}

async function post(deploymentId: string, amounts: readonly [string, number][]): Promise<string> {
  const client = await pool.connect();
  const transaction = randomUUID();
  try {
    await client.query('begin');
    await client.query(
      `insert into ledger_transactions (id, deployment_id, kind, cause, at) values ($1, $2, 'opening', $1::uuid::text, now())`,
      [transaction, deploymentId],
    );
    for (const [account, amount] of amounts) {
      await client.query(
        `insert into ledger_entries (transaction_id, deployment_id, ledger_account, amount_micro) values ($1, $2, $3, $4)`,
        [transaction, deploymentId, account, amount],
      );
    }
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
  return transaction;
}

test('a ledger transaction that does not sum to zero is refused at commit', async () => {
  const id = await deployment();
  await expect(
    post(id, [
      ['cash', 100],
      ['capital', -99],
    ]),
  ).rejects.toThrow(/does not sum to zero/);
  await expect(
    post(id, [
      ['cash', 100],
      ['capital', -100],
    ]),
  ).resolves.toBeTypeOf('string');
});

test('ledger rows can be neither changed nor removed', async () => {
  const id = await deployment();
  const transaction = await post(id, [
    ['cash', 100],
    ['capital', -100],
  ]);
  await expect(
    pool.query(`update ledger_entries set amount_micro = 1 where transaction_id = $1`, [transaction]),
  ).rejects.toThrow(/append-only/);
  await expect(
    pool.query(`delete from ledger_entries where transaction_id = $1`, [transaction]),
  ).rejects.toThrow(/append-only/);
});
