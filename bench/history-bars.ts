// Synthetic bars of true shape: sessions of New York, prices in cents that walk at random, the same from the same seed.
import { session } from '#engine/market/calendar.ts';
import type { Bar } from '#engine/market/instrument.ts';
import { addDays, type Instant, instant, type IsoDate, MINUTE_MS } from '#units/instant.ts';

type Session = { readonly date: IsoDate; readonly opensAt: Instant; readonly closesAt: Instant };

export function tradingDays(from: string, to: string): Session[] {
  const found: Session[] = [];
  for (let date = from as IsoDate; date <= to; date = addDays(date, 1)) {
    const day = session('us-equity', date);
    if (day !== null) found.push(day);
  }
  return found;
}

export function dayBars(seed: number, days: readonly Session[]): Bar[] {
  const random = sequence(seed);
  let close = 2_000 + 18_000 * random();
  return days.map(({ date, opensAt, closesAt }) => {
    const bar = barAfter(close, { random, spread: 0.015, volume: 5_000_000 });
    close = bar.close * 100;
    return { date, openedAt: opensAt, closedAt: closesAt, ...bar };
  });
}

export function minuteBars(seed: number, days: readonly Session[]): Bar[] {
  const random = sequence(seed);
  let close = 10_000;
  return days.flatMap(({ date, opensAt, closesAt }) =>
    Array.from({ length: (closesAt - opensAt) / MINUTE_MS }, (_, minute): Bar => {
      const bar = barAfter(close, { random, spread: 0.0005, volume: 20_000 });
      close = bar.close * 100;
      const openedAt = instant(opensAt + minute * MINUTE_MS);
      return { date, openedAt, closedAt: instant(openedAt + MINUTE_MS), ...bar };
    }),
  );
}

type Shape = { readonly random: () => number; readonly spread: number; readonly volume: number };

/** Prices in cents, each a step of about `spread` away; volumes around `volume`. */
function barAfter(cents: number, { random, spread, volume }: Shape) {
  const step = () => (random() + random() + random() - 1.5) * 2 * spread;
  const open = Math.max(100, Math.round(cents * (1 + step() / 4)));
  const close = Math.max(100, Math.round(open * (1 + step())));
  const high = Math.round(Math.max(open, close) * (1 + (random() * spread) / 2));
  const low = Math.round(Math.min(open, close) * (1 - (random() * spread) / 2));
  return {
    open: open / 100,
    high: high / 100,
    low: low / 100,
    close: close / 100,
    volume: Math.round(volume * (0.3 + random() + random() * random())),
  };
}

/** The same numbers from the same seed (Park and Miller). */
function sequence(seed: number): () => number {
  let state = seed * 48_271;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
