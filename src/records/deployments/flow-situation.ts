// What a request to add or withdraw money is judged by before it is written. The trader judges it again, at the newest prices.
import { type Kysely, sql } from 'kysely';
import { OPEN } from '#engine/order/order-status.ts';
import type { FlowSituation } from '#rules/deployments/flow-amount.ts';
import type { DeploymentId, UserId } from '#units/identifiers.ts';
import { micro, parseMicro } from '#units/money.ts';
import { isUuid } from '../postgres/is-uuid.ts';
import type { Tables } from '../tables.ts';
import { type OwnDeployment, type OwnDeploymentRow, toOwnDeployment } from './deployments.ts';

export type OwnFlowSituation = FlowSituation & OwnDeployment;

/** Undefined for an unknown deployment and someone else's. */
export async function findFlowSituation(
  database: Kysely<Tables>,
  { id, userId }: { readonly id: string; readonly userId: UserId },
): Promise<OwnFlowSituation | undefined> {
  if (!isUuid<DeploymentId>(id)) return undefined;
  const { rows } = await sql<SituationRow>`
    select d.id, d.strategy_id, d.broker_connection_id, d.mode, d.status, d.requested_status, d.investment_micro,
      d.equity_micro::text as equity, s.min_investment_micro::text as minimum, d.shadow_of is not null as is_shadow,
      exists (select from liquidation_requests r where r.deployment_id = d.id and r.status = 'open') as to_be_liquidated,
      exists (select from deployment_flows f where f.deployment_id = d.id and f.status = 'pending') as is_pending,
      floor(least(d.cash_micro, d.equity_micro - coalesce((
          select sum(abs(p.notional_micro)) from positions p where p.deployment_id = d.id), 0)) - coalesce((
        select sum((o.quantity - o.filled_quantity) * o.limit_price * i.multiplier * 1000000) from orders o
        join instruments i on i.symbol = o.symbol
        where o.deployment_id = d.id and o.side = 'buy' and o.purpose <> 'protective' and i.settlement = 'cash'
          and o.status = any(${[...OPEN]}::text[])), 0))::text as free
    from deployments d join strategies s on s.id = d.strategy_id where d.id = ${id} and d.user_id = ${userId}`.execute(
    database,
  );
  const [row] = rows;
  return (
    row && {
      ...toOwnDeployment(row),
      equity: parseMicro(row.equity),
      minimum: parseMicro(row.minimum),
      freeNow: micro(Math.max(0, parseMicro(row.free))),
      isShadow: row.is_shadow,
      isToBeLiquidated: row.to_be_liquidated,
      isPending: row.is_pending,
    }
  );
}

type SituationRow = OwnDeploymentRow & {
  readonly equity: string;
  readonly minimum: string;
  readonly free: string;
  readonly is_shadow: boolean;
  readonly to_be_liquidated: boolean;
  readonly is_pending: boolean;
};
