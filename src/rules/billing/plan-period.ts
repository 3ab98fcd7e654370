// When a paid plan renews, and what changing it costs. One rule: a change begins a new period on that day; the price is
// due less the unused days of the old period, and what is left over stays as credit for later payments.
import { DAY_MS, type Instant, instant, instantOfDate, utcDate } from '#units/instant.ts';
import { add, type Micro, scale, subtract, toMicro, ZERO_MICRO } from '#units/money.ts';
import { type Plan, type PlanInterval, pricePerMonth } from './plans.ts';

/** What one period costs: a month, or twelve months at the yearly price. */
export function periodPrice(plan: Plan, interval: PlanInterval): Micro {
  return toMicro(pricePerMonth(plan, interval) * (interval === 'yearly' ? 12 : 1));
}

/**
 * The first end of a period after `after`, counted from the day on which the plan began: one that began on the 31st ends
 * on the last day of shorter months and on the 31st again after them.
 */
export function periodEnd(anchor: Instant, interval: PlanInterval, after: Instant): Instant {
  const months = interval === 'yearly' ? 12 : 1;
  for (let count = 1; ; count++) {
    const end = monthsLater(anchor, months * count);
    if (end > after) return end;
  }
}

export type PaidPeriod = { readonly price: Micro; readonly start: Instant; readonly end: Instant };

/** The remaining part of a paid period, by the day; a day that has begun counts as unused. */
export function unusedValue({ price, start, end }: PaidPeriod, now: Instant): Micro {
  const days = Math.round((end - start) / DAY_MS);
  const left = Math.min(days, Math.max(0, Math.ceil((end - now) / DAY_MS)));
  return wholeCents(scale(price, left / days));
}

export type PlanChange = {
  readonly price: Micro;
  /** For the unused days of the period that ends now. */
  readonly unused: Micro;
  /** Of earlier credit and the unused days together, what this payment uses. */
  readonly creditUsed: Micro;
  readonly due: Micro;
  readonly creditLeft: Micro;
};

/** What is due when a plan is chosen now. `current` is the paid period that runs, null without one. */
export function planChange(chosen: {
  readonly plan: Plan;
  readonly interval: PlanInterval;
  readonly current: PaidPeriod | null;
  readonly credit: Micro;
  readonly now: Instant;
}): PlanChange {
  const { plan, interval, current, credit, now } = chosen;
  const unused = current === null ? ZERO_MICRO : unusedValue(current, now);
  return { unused, ...payWithCredit(periodPrice(plan, interval), add(credit, unused)) };
}

/** A price paid from credit first. */
export function payWithCredit(price: Micro, credit: Micro): Omit<PlanChange, 'unused'> {
  const creditUsed = Math.min(price, credit) as Micro;
  return { price, creditUsed, due: subtract(price, creditUsed), creditLeft: subtract(credit, creditUsed) };
}

const CENT = 10_000;

function wholeCents(amount: Micro): Micro {
  return (Math.floor(amount / CENT) * CENT) as Micro;
}

function monthsLater(from: Instant, months: number): Instant {
  const day = utcDate(from);
  const timeOfDay = from - instantOfDate(day);
  const month = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1 + months;
  const first = dayText(month, 1);
  const lastDay = Math.round((instantOfDate(dayText(month + 1, 1)) - instantOfDate(first)) / DAY_MS);
  const date = dayText(month, Math.min(Number(day.slice(8)), lastDay));
  return instant(instantOfDate(date) + timeOfDay);
}

function dayText(month: number, day: number): string {
  const year = Math.floor(month / 12);
  return [String(year), two((month % 12) + 1), two(day)].join('-');
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}
