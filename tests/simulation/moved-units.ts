// What a broker moves without an execution, such as a transfer of shares. In an instrument that we trade there two staff
// declare it to be the owner's, once the trader has found the difference; in any other the trader records it. What was moved
// before the account's opening is part of the opening.
import type { BrokerAccountId, Symbol } from '#units/identifiers.ts';
import { type Instant, parseInstant } from '#units/instant.ts';
import { agreeOn } from '../support/agreed-adjustment.ts';
import { supportOf } from './adjustments.ts';
import { splitSince } from './decided-positions.ts';
import type { World } from './world.ts';

export type MovedUnits = {
  readonly account: BrokerAccountId;
  readonly symbol: Symbol;
  /** Signed, of its day. */
  readonly units: number;
  readonly at: Instant;
};

/** Returns whether a difference was answered. */
export async function declareMoved(world: World): Promise<boolean> {
  const breaks = await world.records.pool.query<Break>(
    `select f.account_id as account, f.symbol, (f.theirs - f.ours - f.external)::float as units, o.at as "openedAt",
       (select d.id from deployments d join broker_connections c on c.id = d.broker_connection_id
         where c.account_id = f.account_id order by d.id limit 1) as deployment
     from reconciliation_breaks f join account_openings o on o.account_id = f.account_id
     where f.kind = 'unexplained' and f.ended_at is null and not exists
       (select from adjustments a where a.break_id = f.id and a.status in ('open', 'approved'))
     order by 1, 2`,
  );
  const recorded = await world.records.pool.query<MovedUnits>(
    `select account_id as account, symbol, (case side when 'buy' then quantity else -quantity end)::float as units,
       (extract(epoch from executed_at) * 1000)::float8 as at
     from suspense_entries where kind = 'transfer'`,
  );
  let isAnswered = false;
  for (const { account, symbol, units, openedAt, deployment } of breaks.rows) {
    const moved = world.moved.filter(
      (one) => one.account === account && one.symbol === symbol && one.at >= parseInstant(openedAt),
    );
    const transfers = recorded.rows.filter((one) => one.account === account && one.symbol === symbol);
    const total = unitsOf(world, moved) - unitsOf(world, transfers);
    if (total === 0 || total !== units) continue;
    await agreeOn(world.records, await supportOf(world), { deployment, symbol, inSuspense: true, units });
    isAnswered = true;
  }
  return isAnswered;
}

/** In current units. */
function unitsOf(world: World, moved: readonly MovedUnits[]): number {
  return moved.reduce((sum, { units, symbol, at }) => sum + units * splitSince(world, symbol, at), 0);
}

type Break = {
  readonly account: BrokerAccountId;
  readonly symbol: Symbol;
  readonly units: number;
  readonly openedAt: Date;
  readonly deployment: string;
};
