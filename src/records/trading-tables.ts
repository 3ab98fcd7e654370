// The tables of trading: who deployed what, what was decided, ordered, filled and booked.
import type { Generated } from 'kysely';
import type {
  Exact,
  ExactWithDefault,
  Json,
  JsonWithDefault,
  NullableExact,
  NullableJson,
  NullableTimestamp,
  Timestamp,
  TimestampWithDefault,
} from './postgres/column-types.ts';

export type BrokerConnectionsTable = {
  id: string;
  user_id: string;
  broker_id: string;
  status: string;
  status_reason: string | null;
  is_primary: Generated<boolean>;
  state_hash: Buffer | null;
  request_token: string | null;
  sealed_credentials: Buffer | null;
  account_id: string | null;
  available_cash_micro: NullableExact;
  created_at: TimestampWithDefault;
  expires_at: Timestamp;
  connected_at: NullableTimestamp;
  linked_by: string | null;
};

export type DeploymentsTable = {
  id: string;
  user_id: string;
  strategy_id: string;
  strategy_version_id: string;
  broker_connection_id: string;
  status: string;
  status_reason: string | null;
  wished_status: string | null;
  investment_micro: Exact;
  stop_loss_percent: Exact;
  max_allocation_percent: Exact;
  freeze_on_drawdown_percent: Exact;
  blind_minutes: Generated<number>;
  blind_choice: Generated<string>;
  cash_micro: Exact;
  realized_micro: ExactWithDefault;
  equity_micro: Exact;
  peak_equity_micro: Exact;
  high_water_mark_micro: Exact;
  frozen_at: NullableTimestamp;
  stopped_out: JsonWithDefault;
  applied_target_id: string | null;
  revision: ExactWithDefault;
  billed_through: NullableTimestamp;
  deployed_at: Timestamp;
  marked_at: NullableTimestamp;
  ended_at: NullableTimestamp;
  created_at: TimestampWithDefault;
};

export type PositionsTable = {
  deployment_id: string;
  symbol: string;
  quantity: Exact;
  cost_micro: Exact;
  mark_price: Exact;
  current_value_micro: Exact;
  total_cost_micro: Exact;
  unrealized_micro: Exact;
  notional_micro: Exact;
  opened_at: Timestamp;
  marked_at: Timestamp;
};

export type EquityMarksTable = {
  deployment_id: string;
  date: string;
  at: Timestamp;
  cash_micro: Exact;
  positions_micro: Exact;
  equity_micro: Exact;
  benchmark: NullableExact;
};

export type TargetsTable = {
  id: string;
  strategy_version_id: string;
  as_of: Timestamp;
  weights: Json;
  rebalance: boolean;
  receipt: Json;
  hash: string;
  created_at: TimestampWithDefault;
  fanned_out_at: NullableTimestamp;
};

export type OrdersTable = {
  id: string;
  deployment_id: string;
  broker_connection_id: string;
  client_order_id: string;
  target_id: string | null;
  cause: string;
  purpose: string;
  attempt: number;
  symbol: string;
  side: string;
  quantity: Exact;
  limit_price: Exact;
  reference_price: Exact;
  status: string;
  filled_quantity: ExactWithDefault;
  filled_value_micro: ExactWithDefault;
  realized_micro: ExactWithDefault;
  broker_order_id: string | null;
  notes: string;
  decided_at: Timestamp;
  sent_at: NullableTimestamp;
  ended_at: NullableTimestamp;
  reason_code: string | null;
  reason_params: NullableJson;
  reason_since: NullableTimestamp;
  /** Real clock: since when its fate is unknown, or was the last time. */
  unknown_since: NullableTimestamp;
  created_at: TimestampWithDefault;
};

export type FillsTable = {
  execution_id: string;
  account_id: string;
  order_id: string;
  deployment_id: string;
  symbol: string;
  side: string;
  quantity: Exact;
  price: Exact;
  commission_micro: Exact;
  realized_micro: Exact;
  executed_at: Timestamp;
  booked_at: TimestampWithDefault;
  split_ratio: ExactWithDefault;
};

export type ReceiptsTable = {
  id: Generated<string>;
  deployment_id: string;
  target_id: string | null;
  at: Timestamp;
  cause: string;
  refusals: Json | null;
};

export type ExternalFillsTable = {
  execution_id: string;
  account_id: string;
  symbol: string;
  side: string;
  quantity: Exact;
  price: Exact;
  executed_at: Timestamp;
};

export type HeartbeatsTable = {
  process: string;
  beat_at: Timestamp;
  market_at: NullableTimestamp;
  details: JsonWithDefault;
};

export type LedgerTransactionsTable = {
  id: string;
  deployment_id: string;
  kind: string;
  cause: string;
  at: Timestamp;
  booked_at: TimestampWithDefault;
};

export type LedgerEntriesTable = {
  id: Generated<string>;
  transaction_id: string;
  deployment_id: string;
  ledger_account: string;
  currency: Generated<string>;
  amount_micro: Exact;
};
