// On which rows of the timeline the rules are looked at.
import { civilDate } from '#units/civil-date.ts';
import type { Schedule } from './definition.ts';
import { tradingDay } from '../market/trading-day.ts';

/** 1 on each row at whose close the rules are evaluated. A week begins on Monday. */
export function scheduledRows(schedule: Schedule, timeline: Float64Array): Uint8Array {
  const rows = new Uint8Array(timeline.length);
  if (schedule.every === 'day') return rows.fill(1);
  if (schedule.every === 'bars') {
    for (let t = 0; t < rows.length; t += schedule.count) rows[t] = 1;
    return rows;
  }
  const period = schedule.every === 'week' ? weekOf : monthOf;
  let before = Number.NaN;
  for (let t = 0; t < rows.length; t++) {
    const now = period(tradingDay(timeline[t]!));
    // The first row of the history is not known to be the first day of its period.
    if (now !== before && t > 0) rows[t] = 1;
    before = now;
  }
  return rows;
}

function weekOf(day: number): number {
  return Math.floor((day + 3) / 7);
}

function monthOf(day: number): number {
  const { year, month } = civilDate(day);
  return year * 12 + month;
}
