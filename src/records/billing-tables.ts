// The tables of plans, payments and bills of the fee.
import type { Generated } from 'kysely';
import type {
  Exact,
  ExactWithDefault,
  NullableExact,
  NullableTimestamp,
  Timestamp,
  TimestampWithDefault,
} from './postgres/column-types.ts';

export type SubscriptionsTable = {
  user_id: string;
  plan: string;
  billing_interval: string;
  chosen_at: Timestamp;
  period_start: NullableTimestamp;
  period_end: NullableTimestamp;
  period_price_micro: Exact;
  credit_micro: ExactWithDefault;
  cancelled_at: NullableTimestamp;
  renewal_failure: string | null;
};

export type PaymentsTable = {
  id: string;
  number: Generated<string>;
  user_id: string;
  kind: string;
  plan: string;
  billing_interval: string;
  period_start: Timestamp;
  period_end: Timestamp;
  price_micro: Exact;
  credit_used_micro: Exact;
  amount_micro: Exact;
  currency: Generated<string>;
  vendor: string;
  vendor_reference: string | null;
  paid_at: Timestamp;
};

export type FeeBillsTable = {
  id: string;
  deployment_id: string;
  number: number;
  is_closing: boolean;
  period_start: Timestamp;
  period_end: Timestamp;
  ledger_through: Exact;
  capital_micro: Exact;
  settled_result_micro: Exact;
  worth_micro: NullableExact;
  high_water_before_micro: Exact;
  net_flow_micro: Exact;
  worth_before_withdrawal_micro: NullableExact;
  adjusted_mark_micro: Exact;
  closing_value_micro: Exact;
  profit_micro: Exact;
  fee_percent: Exact;
  fee_micro: Exact;
  high_water_after_micro: Exact;
  due_at: Timestamp;
  billed_at: TimestampWithDefault;
};
