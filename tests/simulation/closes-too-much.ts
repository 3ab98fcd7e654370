// I7: the stops and exits that work at the broker close at most what the account holds there. Read off the broker's true
// books, not its lists: what no list shows works all the same.
import type { AtBroker } from './at-the-broker.ts';
import type { World } from './world.ts';

export async function closesTooMuch(world: World, atBroker: readonly AtBroker[]): Promise<string[]> {
  const found: string[] = [];
  for (const { account, orders, positions } of atBroker) {
    const working = orders.filter(({ isWorking }) => isWorking);
    const closing = new Set(await closingOnly(world, working));
    for (const symbol of new Set(working.map((order) => order.symbol)))
      for (const side of ['buy', 'sell'] as const) {
        const leaving = working
          .filter((one) => one.symbol === symbol && one.side === side && closing.has(one.clientOrderId ?? ''))
          .reduce((sum, { quantity, filled }) => sum + quantity - filled, 0);
        if (leaving === 0) continue;
        const net = positions.find((one) => one.symbol === symbol)?.quantity ?? 0;
        const { against, booked } = await readBooks(world, { account, symbol, side });
        const available = (side === 'sell' ? net : -net) + against;
        // While executions are missing the books do not know which deployment holds what of the net.
        if (Math.abs(booked - net) <= ROUNDING && leaving > available + ROUNDING)
          found.push(
            `I7 orders of ${account} would ${side} ${leaving / 1e8} ${symbol}, of which it has ${available / 1e8}`,
          );
      }
  }
  return found;
}

/**
 * The ids of those that only close a position: stops and exits. Without those that staff must cancel, because the brokerage
 * session no longer shows them.
 */
async function closingOnly(
  { records }: World,
  working: readonly { readonly clientOrderId: string | null }[],
): Promise<string[]> {
  const { rows } = await records.pool.query<{ id: string }>(
    `select client_order_id as id from orders where client_order_id = any($1) and purpose <> 'rebalance'
       and (visibility = 'shown' or reason_code is null or reason_code not in ('cancel_requested', 'cancel_not_confirmed'))`,
    [working.map(({ clientOrderId }) => clientOrderId)],
  );
  return rows.map(({ id }) => id);
}

/**
 * Opposite positions of deployments, of which the account shows the net, with what it owes since a purchase was taken back;
 * and the net by our books.
 */
async function readBooks(
  { records }: World,
  { account, symbol, side }: { readonly account: string; readonly symbol: string; readonly side: string },
): Promise<{ readonly against: number; readonly booked: number }> {
  const { rows } = await records.pool.query<{ units: number; booked: number }>(
    `select coalesce((select sum(abs(p.quantity)) from broker_connections c
         join deployments d on d.broker_connection_id = c.id join positions p on p.deployment_id = d.id
         where c.account_id = $1 and p.symbol = $2 and (p.quantity < 0) = ($3 = 'sell')), 0)::float
       + coalesce((select sum(quantity) from suspense_entries
         where account_id = $1 and symbol = $2 and kind = 'shortfall'), 0)::float as units,
       coalesce((select sum(p.quantity) from broker_connections c
         join deployments d on d.broker_connection_id = c.id join positions p on p.deployment_id = d.id
         where c.account_id = $1 and p.symbol = $2), 0)::float
       + coalesce((select sum(case side when 'buy' then quantity else -quantity end) from suspense_entries
         where account_id = $1 and symbol = $2), 0)::float as booked`,
    [account, symbol, side],
  );
  const [{ units, booked }] = rows as [{ units: number; booked: number }];
  return { against: Math.round(units * 1e8), booked: Math.round(booked * 1e8) };
}

const ROUNDING = 100;
