// One decision of a deployment as it was recorded: what the strategy's evaluation read, once for all deployments, and what
// this deployment's step was made from.
import type { Pool } from 'pg';
import type { DecisionRecord } from '#engine/decision/decision-record.ts';
import type { RecordedOrderOfDecision } from '#engine/decision/replay-decision.ts';
import type { TargetWeight } from '#engine/event.ts';
import type { RefusedOrder } from '#engine/order/order.ts';
import type { EvaluationReceipt } from '#engine/strategy/evaluate.ts';
import type {
  BrokerConnectionId,
  DeploymentId,
  StrategyVersionId,
  TargetId,
  UserId,
} from '#units/identifiers.ts';
import { parseQuantity } from '#units/quantity.ts';
import { isUuid } from '../postgres/is-uuid.ts';

export type StoredDecision = {
  readonly id: string;
  readonly deploymentId: DeploymentId;
  readonly at: Date;
  readonly strategyName: string;
  readonly definition: unknown;
  readonly versionId: StrategyVersionId;
  readonly targetId: TargetId;
  readonly asOf: Date;
  /** Which signal of the version it followed; null for one that asked to trade nothing. */
  readonly turn: number | null;
  readonly connectionId: BrokerConnectionId;
  readonly weights: readonly TargetWeight[];
  readonly hash: string;
  /** `engine`: the hash of the engine that evaluated; null where it was not stated. */
  readonly receipt: EvaluationReceipt & { readonly engine: string | null };
  readonly refusals: readonly RefusedOrder[];
  readonly decision: DecisionRecord;
  /** Of that moment. */
  readonly orders: readonly RecordedOrderOfDecision[];
};

const DECISION_SQL = `
  select r.id::text, r.deployment_id as "deploymentId", r.at, s.name as "strategyName", v.definition, v.id as "versionId",
    t.id as "targetId", t.as_of as "asOf", t.turn, d.broker_connection_id as "connectionId", t.weights, t.hash, t.receipt, coalesce(r.refusals, '[]') as refusals, r.decision,
    coalesce((select json_agg(json_build_object('clientOrderId', o.client_order_id, 'symbol', o.symbol, 'side', o.side,
        'quantity', o.quantity::text, 'limitPrice', o.limit_price))
      from orders o where o.deployment_id = r.deployment_id and o.decided_at = r.at and o.target_id = r.target_id
    ), '[]') as orders
  from receipts r join deployments d on d.id = r.deployment_id
  join targets t on t.id = r.target_id
  join strategy_versions v on v.id = t.strategy_version_id
  join strategies s on s.id = v.strategy_id
  where d.id = $1 and d.user_id = $2 and r.id = $3 and r.decision is not null`;

type Asked = { readonly id: string; readonly userId: UserId; readonly decision: string };
type StoredOrder = Omit<RecordedOrderOfDecision, 'quantity'> & { readonly quantity: string };

/** Undefined for an unknown one and for someone else's. */
export async function findDecision(
  pool: Pool,
  { id, userId, decision }: Asked,
): Promise<StoredDecision | undefined> {
  if (!isUuid(id) || !DECISION_ID.test(decision)) return undefined;
  const { rows } = await pool.query<Omit<StoredDecision, 'orders'> & { orders: StoredOrder[] }>(
    DECISION_SQL,
    [id, userId, decision],
  );
  const [row] = rows;
  return (
    row && {
      ...row,
      orders: row.orders.map((order) => ({ ...order, quantity: parseQuantity(order.quantity) })),
    }
  );
}

/** A number of the table: at most 18 digits, so that it is one. */
const DECISION_ID = /^[1-9]\d{0,17}$/;
