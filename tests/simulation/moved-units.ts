// What a broker moves without an execution, such as a transfer of shares. Two staff declare it to be the owner's, once the
// trader has found the difference. What was moved before the account's opening is part of the opening.
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
  let isAnswered = false;
  for (const { account, symbol, units, openedAt, deployment } of breaks.rows) {
    const moved = world.moved.filter(
      (one) => one.account === account && one.symbol === symbol && one.at >= parseInstant(openedAt),
    );
    const total = moved.reduce((sum, one) => sum + one.units * splitSince(world, symbol, one.at), 0);
    if (total === 0 || total !== units) continue;
    await agreeOn(world.records, await supportOf(world), { deployment, symbol, inSuspense: true, units });
    isAnswered = true;
  }
  return isAnswered;
}

type Break = {
  readonly account: BrokerAccountId;
  readonly symbol: Symbol;
  readonly units: number;
  readonly openedAt: Date;
  readonly deployment: string;
};
