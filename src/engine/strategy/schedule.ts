// On which rows of the timeline the rules are looked at.
import { civilDate } from '#units/civil-date.ts';
import type { Period, StrategyDefinition } from './definition.ts';
import { tradingDay } from '../market/trading-day.ts';

type Scheduled = Pick<StrategyDefinition, 'schedule' | 'interval'>;

/** Whether rules are looked at on every bar: then a target is traded when it changes. */
export function looksAtEveryBar({ schedule, interval }: Scheduled): boolean {
  return schedule.every === 'bar' || (schedule.every === 'day' && interval === undefined);
}

/** 1 on each row at whose close the rules are evaluated. A week begins on Monday. */
export function scheduledRows(definition: Scheduled, timeline: Float64Array): Uint8Array {
  const { schedule } = definition;
  const rows = new Uint8Array(timeline.length);
  if (looksAtEveryBar(definition)) return rows.fill(1);
  if (schedule.every === 'bars') {
    for (let t = 0; t < rows.length; t += schedule.count) rows[t] = 1;
    return rows;
  }
  const period = schedule.every === 'week' || schedule.every === 'month' ? schedule.every : 'day';
  let before = Number.NaN;
  for (let t = 0; t < rows.length; t++) {
    const now = periodOf(period, timeline[t]!);
    // The first row of the history is not known to be the first day of its period.
    if (now !== before && t > 0) rows[t] = 1;
    before = now;
  }
  return rows;
}

/** The number of the day, week or month that a bar belongs to, by its close. */
export function periodOf(period: Period | 'day', closedAt: number): number {
  const day = tradingDay(closedAt);
  return period === 'day' ? day : period === 'week' ? weekOf(day) : monthOf(day);
}

function weekOf(day: number): number {
  return Math.floor((day + 3) / 7);
}

function monthOf(day: number): number {
  const { year, month } = civilDate(day);
  return year * 12 + month;
}
