// The two sides of the truth after a kill: what the brokerage has in its own books, and what we have booked of it.
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';

/** Execution id → what was executed, as one line of text. */
export type Executions = ReadonlyMap<string, string>;

/** Every execution in the brokerage's file; its orders counted by our own id for them. */
export function brokerageBooks(
  dataDir: string,
  file = 'brokerage.sqlite',
): { executions: Executions; clientOrderIds: readonly string[] } {
  const books = new DatabaseSync(path.join(dataDir, 'sandbox', file), { readOnly: true });
  try {
    const executions = books
      .prepare(
        `select e.execution_id as id, o.client_order_id as "order", o.symbol, o.side, e.quantity, e.price
         from executions e join orders o using (order_id)`,
      )
      .all();
    const orders = books.prepare('select client_order_id as id from orders').all();
    return {
      executions: new Map(
        executions.map((row) => [
          String(row['id']),
          lineOf(String(row['order']), String(row['symbol']), String(row['side']).toLowerCase(), [
            Number(row['quantity']) / 1e8,
            Number(row['price']),
          ]),
        ]),
      ),
      clientOrderIds: orders.map((row) => String(row['id'])),
    };
  } finally {
    books.close();
  }
}

/** Every execution that our records have booked. Fails when one is there twice. */
export async function ourBooks(databaseUrl: string): Promise<Executions> {
  const rows = await ask(
    databaseUrl,
    `select f.execution_id as id, o.client_order_id as "order", f.symbol, f.side, f.quantity, f.price
     from fills f join orders o on o.id = f.order_id`,
  );
  const booked = new Map(
    rows.map(({ id, order, symbol, side, quantity, price }) => [
      String(id),
      lineOf(String(order), String(symbol), String(side), [Number(quantity), Number(price)]),
    ]),
  );
  if (booked.size !== rows.length) throw new Error('an execution is booked twice');
  return booked;
}

export async function ask(databaseUrl: string, query: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(query)).rows;
  } finally {
    await client.end();
  }
}

function lineOf(order: string, symbol: string, side: string, [quantity, price]: [number, number]): string {
  return `${order} ${side} ${quantity} ${symbol} at ${price}`;
}
