const DAY_MS = 86_400_000;
const NICE_STEPS = [1, 2, 2.5, 5, 10];
const MONTH_STEPS = [1, 2, 3, 6, 12, 24, 36, 48, 60, 120];
const DAY_STEPS = [1, 2, 7, 14];

/** Round values inside [low, high], about `count` of them. */
export function valueTicks(low: number, high: number, count: number): number[] {
  const rough = (high - low) / Math.max(1, count);
  if (!(rough > 0)) return [low];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * (NICE_STEPS.find((nice) => nice * power >= rough) ?? 10);
  const ticks: number[] = [];
  for (let i = Math.ceil(low / step); i * step <= high + step * 1e-9; i++)
    ticks.push(Number((i * step).toPrecision(12)));
  return ticks;
}

/** Factors that are 1, 2 and 5 times powers of ten; only powers of ten where many fit. */
export function growthTicks(lowFactor: number, highFactor: number, count: number): number[] {
  const decades = Math.log10(highFactor / lowFactor);
  const leads = decades * 3 <= count + 3 ? [1, 2, 5] : [1];
  const ticks: number[] = [];
  for (let power = Math.floor(Math.log10(lowFactor)); 10 ** power <= highFactor; power++) {
    for (const lead of leads) {
      const factor = lead * 10 ** power;
      if (factor >= lowFactor && factor <= highFactor) ticks.push(factor);
    }
  }
  return ticks;
}

export type TimeTick = { readonly at: number; readonly text: string };

/** Beginnings of days, months or years inside [from, to], about `count` of them, and one more at the very beginning. */
export function timeTicks(from: number, to: number, count: number): TimeTick[] {
  const days = (to - from) / DAY_MS;
  const dayStep = DAY_STEPS.find((step) => days / step <= count);
  if (dayStep !== undefined && days < 100) return dayTicks(from, to, dayStep);
  const months = days / 30.44;
  const step = MONTH_STEPS.find((candidate) => Math.floor(months / candidate) <= count) ?? 240;
  const ticks = monthTicks(from, to, step);
  return ticks.length > 1 || days > 100 ? ticks : dayTicks(from, to, DAY_STEPS.at(-1)!);
}

function dayTicks(from: number, to: number, step: number): TimeTick[] {
  const ticks: TimeTick[] = [];
  for (let at = Math.ceil(from / DAY_MS) * DAY_MS; at <= to; at += step * DAY_MS) {
    ticks.push({ at, text: textOf(at, { day: 'numeric', month: 'short' }) });
  }
  return ticks;
}

function monthTicks(from: number, to: number, step: number): TimeTick[] {
  const ticks: TimeTick[] = [];
  const start = new Date(from);
  const first = start.getUTCFullYear() * 12 + start.getUTCMonth();
  for (let month = Math.ceil(first / step) * step; ; month += step) {
    const at = Date.UTC(Math.floor(month / 12), month % 12);
    if (at > to) return ticks;
    if (at < from) continue;
    const isYear = month % 12 === 0;
    ticks.push({ at, text: textOf(at, isYear ? { year: 'numeric' } : { month: 'short' }) });
  }
}

function textOf(at: number, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' }).format(at);
}
