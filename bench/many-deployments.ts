// One deployment made many, each round of which a close gives a new target: what the fan-out is measured on.
import type { Pool } from 'pg';

export type Many = { readonly connections: number; readonly each?: number };

/** As the owner of the database. The connections have no account: intents stay where they are, durable and unsent. */
export async function multiply(owner: Pool, id: string, { connections, each = 1 }: Many): Promise<void> {
  await owner.query(`update broker_connections set account_id = null`);
  await owner.query(`update deployments set status = 'active' where id = $1`, [id]);
  const ofConnection = await columnsOf(owner, 'broker_connections', ['id']);
  await owner.query(
    `insert into broker_connections (id, ${ofConnection})
     select gen_random_uuid(), ${ofConnection} from broker_connections, generate_series(2, $1::int)`,
    [connections],
  );
  const columns = await columnsOf(owner, 'deployments', ['id', 'broker_connection_id']);
  await owner.query(
    `insert into deployments (id, broker_connection_id, ${columns})
     select gen_random_uuid(), c.connection, ${columns} from deployments d
     cross join (select id as connection from broker_connections) c
     join generate_series(1, $1::int) as nth on nth > 1 or c.connection <> d.broker_connection_id`,
    [each],
  );
  await owner.query(`vacuum analyze deployments, broker_connections`);
}

/** What the rounds before wrote stays, ended: tables that are never empty, and that the database knows the size of. */
export async function makeReady(owner: Pool): Promise<void> {
  await owner.query(`alter table orders disable trigger user`);
  await owner.query(`update orders set status = 'withdrawn' where status = 'intended'`);
  await owner.query(`alter table orders enable trigger user`);
  await owner.query(`update deployments set applied_target_id = null`);
  await owner.query(`vacuum analyze deployments, orders, receipts`);
  await owner.query(`checkpoint`);
}

async function columnsOf(pool: Pool, table: string, without: readonly string[]): Promise<string> {
  const { rows } = await pool.query<{ name: string }>(
    `select column_name as name from information_schema.columns where table_name = $1 and is_generated = 'NEVER'`,
    [table],
  );
  return rows.flatMap(({ name }) => (without.includes(name) ? [] : name)).join(', ');
}
