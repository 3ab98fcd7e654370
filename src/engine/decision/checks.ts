// The checks between what a strategy asks of an instrument and an order, in the order in which they are made. Which of them
// one decision passed follows from the reason that stopped it, so a receipt does not repeat them.
import type { RefusalCode } from '../order/order.ts';

export const DECISION_CHECKS = [
  'price',
  'no_order_open',
  'direction',
  'stop_loss',
  'record',
  'allocation',
  'size',
  'worth_trading',
  'cover',
  'broker',
  'status',
  'cash',
] as const;
export type DecisionCheck = (typeof DECISION_CHECKS)[number];

/** limited: passed, and the position is smaller for it. waits: as soon as other orders have ended. */
export const CHECK_RESULTS = ['passed', 'limited', 'waits', 'failed', 'not_reached'] as const;
export type CheckResult = (typeof CHECK_RESULTS)[number];

type Stop = {
  readonly check: DecisionCheck;
  readonly result: Exclude<CheckResult, 'passed' | 'not_reached'>;
};

const STOPS: { readonly [Code in RefusalCode]: Stop } = {
  no_price: { check: 'price', result: 'failed' },
  security_event: { check: 'price', result: 'failed' },
  order_working: { check: 'no_order_open', result: 'waits' },
  closes_after_order: { check: 'no_order_open', result: 'waits' },
  short_not_allowed: { check: 'direction', result: 'limited' },
  not_shortable: { check: 'direction', result: 'limited' },
  stopped_out: { check: 'stop_loss', result: 'limited' },
  halved: { check: 'record', result: 'limited' },
  max_allocation: { check: 'allocation', result: 'limited' },
  below_one_step: { check: 'size', result: 'failed' },
  partial_step: { check: 'size', result: 'failed' },
  quantity_too_large: { check: 'size', result: 'failed' },
  within_band: { check: 'worth_trading', result: 'failed' },
  not_covered: { check: 'cover', result: 'failed' },
  awaiting_cover: { check: 'cover', result: 'waits' },
  awaiting_close: { check: 'broker', result: 'waits' },
  not_tradable: { check: 'broker', result: 'failed' },
  not_listed: { check: 'broker', result: 'failed' },
  awaiting_sales: { check: 'cash', result: 'waits' },
  no_cash: { check: 'cash', result: 'failed' },
  not_active: { check: 'status', result: 'failed' },
  exits_only: { check: 'status', result: 'failed' },
  frozen: { check: 'status', result: 'failed' },
  below_record: { check: 'status', result: 'failed' },
  nothing_to_close: { check: 'status', result: 'failed' },
  too_late: { check: 'status', result: 'failed' },
  exceeds_holding: { check: 'status', result: 'failed' },
};

/** Whether the position is only smaller for this reason, and may be ordered all the same. */
export function isLimit(code: RefusalCode): boolean {
  return STOPS[code].result === 'limited';
}

export type MadeCheck = {
  readonly check: DecisionCheck;
  readonly result: CheckResult;
  /** Why, where it is not simply passed. */
  readonly code: RefusalCode | null;
};

/**
 * The checks of one instrument, from the reasons that the decision gave for it. `isSettled`: nothing had to be traded, so
 * what follows the size was not looked at.
 */
export function checksOf(
  codes: readonly RefusalCode[],
  { isOrdered, isSettled }: { readonly isOrdered: boolean; readonly isSettled: boolean },
): readonly MadeCheck[] {
  const found = new Map<DecisionCheck, MadeCheck>();
  for (const code of codes) {
    const { check, result } = STOPS[code];
    found.set(check, { check, result, code });
  }
  const ends = [...found.values()].filter(({ result }) => result === 'failed' || result === 'waits');
  const lastMade = isOrdered
    ? DECISION_CHECKS.length
    : ends.length > 0
      ? Math.max(...ends.map(({ check }) => DECISION_CHECKS.indexOf(check)))
      : isSettled
        ? DECISION_CHECKS.indexOf('size')
        : DECISION_CHECKS.length;
  return DECISION_CHECKS.map(
    (check, place) =>
      found.get(check) ?? { check, result: place <= lastMade ? 'passed' : 'not_reached', code: null },
  );
}
