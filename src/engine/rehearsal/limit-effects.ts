// What a person's limits did: each time one acted, and what it cost or saved against the same run without it.
import type { Symbol } from '#units/identifiers.ts';
import { type Instant, type IsoDate, utcDate } from '#units/instant.ts';
import type { BacktestResult } from '../backtest/result.ts';
import type { ClosedTrade } from '../portfolio/closed-trades.ts';
import type { Limits } from '../risk/limits.ts';

export type LimitFiring =
  | {
      readonly limit: 'stop_loss';
      readonly date: IsoDate;
      readonly symbol: Symbol;
      readonly lossPercent: number;
      /**
       * Dollars saved, negative where it cost: this trade against the one that the same run without a stop loss was in
       * on that day, for as many units. Null where that run was not in it, or still holds it.
       */
      readonly saved: number | null;
    }
  | { readonly limit: 'freeze'; readonly date: IsoDate; readonly drawdownPercent: number };

/** Dollars that each limit added by the last day, negative where it cost; null where it is off. */
export type LimitEffects = {
  readonly stopLoss: number | null;
  readonly maxAllocation: number | null;
  readonly freeze: number | null;
};

const SWITCHES = {
  stopLoss: { stopLossPercentage: 0 },
  maxAllocation: { maxAllocationPercent: 0 },
  freeze: { freezeOnDrawdownPercent: 0 },
} as const satisfies Record<keyof LimitEffects, Partial<Limits>>;

/** `without` plays the run with one limit switched off; the effects are against `value`, the dollars at the end. */
export function limitEffects<Run extends { readonly value: number }>(
  limits: Limits,
  value: number,
  without: (limits: Limits) => Run,
): { readonly effects: LimitEffects; readonly withoutStop: Run | null } {
  const runWithout = (limit: keyof LimitEffects): Run | null => {
    const off = { ...limits, ...SWITCHES[limit] };
    return isSame(off, limits) ? null : without(off);
  };
  const withoutStop = runWithout('stopLoss');
  const effect = (run: Run | null) => (run === null ? null : value - run.value);
  return {
    effects: {
      stopLoss: effect(withoutStop),
      maxAllocation: effect(runWithout('maxAllocation')),
      freeze: effect(runWithout('freeze')),
    },
    withoutStop,
  };
}

/** `heldOn`: the trades of the same run without a stop loss. */
export function limitFirings(
  { notices, trades }: Pick<BacktestResult, 'notices' | 'trades'>,
  heldOn: readonly ClosedTrade[],
): readonly LimitFiring[] {
  const firings: LimitFiring[] = [];
  const mine = bySymbol(trades);
  const theirs = bySymbol(heldOn);
  for (const { at, notice } of notices) {
    const date = utcDate((at - 1) as Instant);
    if (notice.type === 'frozen')
      firings.push({ limit: 'freeze', date, drawdownPercent: notice.drawdownPercent });
    if (notice.type === 'stop_loss') {
      const { symbol, lossPercent } = notice;
      const saved = savedBy(openAt(mine.get(symbol), at), openAt(theirs.get(symbol), at));
      firings.push({ limit: 'stop_loss', date, symbol, lossPercent, saved });
    }
  }
  return firings;
}

function savedBy(stopped: ClosedTrade | undefined, held: ClosedTrade | undefined): number | null {
  if (stopped === undefined || held === undefined) return null;
  return (stopped.pnl - (held.pnl * stopped.quantity) / held.quantity) / 1e6;
}

function openAt(trades: readonly ClosedTrade[] | undefined, at: Instant): ClosedTrade | undefined {
  return trades?.find(({ entryAt, exitAt }) => entryAt <= at && exitAt > at);
}

function bySymbol(trades: readonly ClosedTrade[]): ReadonlyMap<Symbol, readonly ClosedTrade[]> {
  return Map.groupBy(trades, ({ symbol }) => symbol);
}

function isSame(left: Limits, right: Limits): boolean {
  return (Object.keys(left) as (keyof Limits)[]).every((name) => left[name] === right[name]);
}
