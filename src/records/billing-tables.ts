// The tables of plans and payments.
import type { Generated } from 'kysely';
import type { Exact, ExactWithDefault, NullableTimestamp, Timestamp } from './column-types.ts';

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
