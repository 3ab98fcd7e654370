// Four shares whose prices are made for this suite, as the files that an operator imports: they cross their 50-day average
// every few days, so that the published rule trades, and one of them falls through every stop in a day.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The first day of trading, a Monday, and the last of the tape. */
export const FIRST_DAY = '2026-02-02';
const LAST_DAY = '2026-02-20';
const HISTORY_FROM = '2025-10-01';
const HOLIDAYS = ['2025-11-27', '2025-12-25', '2026-01-01', '2026-01-19', '2026-02-16'];

/** Closes above (+) or below (-) the average of about 100, one sign a day from the last before the first day on. */
const SIGNS = {
  ALFA: '++--++--++--+++',
  BRVO: '+++---+++---+++',
  CHRL: '++++-----------',
  DLTA: '+++++++++++++++',
} as const;
/** CHRL loses this share of its price within its fourth day. */
const FALL = 0.12;

export const SHARES = Object.keys(SIGNS);

export function writeTape(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const [symbol, signs] of Object.entries(SIGNS)) {
    const rows = ['date,open,high,low,close,volume'];
    let before = 100;
    for (const [index, date] of days().entries()) {
      const close = closeOn(symbol, signs, date, index);
      // It opens where it closed, so that orders decided at a close find their price.
      const [open, high, low] = [before, Math.max(before, close) + 0.1, Math.min(before, close) - 0.1];
      rows.push([date, ...[open, high, low, close].map((price) => price.toFixed(2)), 5_000_000].join(','));
      before = close;
    }
    writeFileSync(path.join(folder, `${symbol}.csv`), `${rows.join('\n')}\n`);
  }
}

function closeOn(symbol: string, signs: string, date: string, index: number): number {
  const live =
    days()
      .filter((day) => day >= FIRST_DAY)
      .indexOf(date) + 1;
  const isLive = live > 0 || days().indexOf(date) === days().indexOf(FIRST_DAY) - 1;
  // A gentle wave before, never flat.
  if (!isLive) return 100 + 0.5 * Math.sin(index);
  const level = 100 + (signs[live] === '-' ? -1 : 1) + 0.05 * live;
  return symbol === 'CHRL' && signs[live] === '-' ? level * (1 - FALL) : level;
}

function days(): readonly string[] {
  const found: string[] = [];
  for (let at = Date.parse(HISTORY_FROM); at <= Date.parse(LAST_DAY); at += 86_400_000) {
    const date = new Date(at).toISOString().slice(0, 10);
    const weekday = new Date(at).getUTCDay();
    if (weekday !== 0 && weekday !== 6 && !HOLIDAYS.includes(date)) found.push(date);
  }
  return found;
}
