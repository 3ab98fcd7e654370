// When a day order ends, by kind of instrument. Written from the exchanges' published hours for 2026, apart from the
// product's calendars.

export type SecurityType = 'STK' | 'CASH' | 'CRYPTO';

/** New York Stock Exchange, 2026. */
const CLOSED_2026 = new Set([
  '2026-01-01',
  '2026-01-19',
  '2026-02-16',
  '2026-04-03',
  '2026-05-25',
  '2026-06-19',
  '2026-07-03',
  '2026-09-07',
  '2026-11-26',
  '2026-12-25',
]);
const EARLY_2026 = new Set(['2026-11-27', '2026-12-24']);
const DAY = 86_400_000;
const HOUR = 3_600_000;

/** The first end of a trading day after an instant, both in epoch milliseconds. */
export function dayEndAfter(type: SecurityType, at: number): number {
  for (let step = -1; ; step++) {
    const midnight = Math.floor(at / DAY) * DAY + step * DAY;
    const end = dayEnd(type, midnight);
    if (end !== null && end > at) return end;
  }
}

function dayEnd(type: SecurityType, midnight: number): number | null {
  if (type === 'CRYPTO') return midnight + DAY;
  const date = new Date(midnight).toISOString().slice(0, 10);
  const weekday = new Date(midnight).getUTCDay();
  if (weekday === 0 || weekday === 6) return null;
  if (type === 'CASH') return newYork(midnight, 17);
  if (CLOSED_2026.has(date)) return null;
  return newYork(midnight, EARLY_2026.has(date) ? 13 : 16);
}

/** An hour of a New York day, as an instant. */
function newYork(midnight: number, hour: number): number {
  const noon = midnight + 17 * HOUR;
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: 'America/New_York',
    timeZoneName: 'longOffset',
  });
  const offset = parts.formatToParts(noon).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const behind = Number(/GMT-(\d\d)/.exec(offset)?.[1] ?? 5);
  return midnight + (hour + behind) * HOUR;
}
