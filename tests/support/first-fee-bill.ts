import type { FeeBill } from '#contract/fees.ts';

/** The figures of a first bill over 10,000 dollars that earned 1,000.50. */
export const FIRST_FEE_BILL = {
  is_closing: false,
  opening_high_water_mark: 10_000,
  capital: 10_000,
  net_flow: 0,
  settled_result: 1_000.5,
  worth: 11_000.5,
  adjusted_high_water_mark: 10_000,
  closing_value: 11_000.5,
  profit: 1_000.5,
  fee_percent: 30,
  fee: 300.15,
  has_estimates: false,
  credited: 0,
  next_high_water_mark: 11_000.5,
  state: 'due',
  unpaid_stage: null,
  owed: 300.15,
  paid: 0,
  paid_at: null,
  charged_back: 0,
  charged_back_at: null,
  refunded: 0,
  refund_reason: null,
} satisfies Partial<FeeBill>;
