// The value of each day: the books at some booking, at the prices that the row names; and these against the closes of the market.
import type { Snapshot } from './fold-bookings.ts';
import type { Books, Day, Finding, Held, Market } from './rows.ts';
import { isSame, isSameUnits, worthOf } from './trade.ts';

export function checkDays(
  { deployment, days }: Books,
  snapshots: readonly Snapshot[],
  market: Market,
): Finding[] {
  const findings: Finding[] = [];
  let from = 0;
  for (const day of days) {
    const row = `${day.date} of deployment ${deployment.id}`;
    const found = findState(snapshots, day, from, (state) =>
      isSame(day.positions, worthAt(state, day.held, market)),
    );
    from = found?.index ?? from;
    findings.push(...valueDay(row, day, found?.state ?? stateAt(snapshots, day, from), market));
    findings.push(...checkPrices(row, day, market));
  }
  return findings;
}

/**
 * The first books, not before those of the day before, with this cash and these holdings, and of these the first that `fits` where one
 * does. Bookings of one moment come one by one; a corrected price of what takes no cash changes the cost alone.
 */
export function findState(
  snapshots: readonly Snapshot[],
  { cash, held }: { readonly cash: number; readonly held: Held },
  from: number,
  fits: (state: Snapshot) => boolean = () => true,
): { readonly index: number; readonly state: Snapshot } | null {
  let first: { readonly index: number; readonly state: Snapshot } | null = null;
  for (let index = from; index < snapshots.length; index += 1) {
    const state = snapshots[index]!;
    if (!isSame(state.cash, cash) || !holdsTheSame(state, held)) continue;
    if (fits(state)) return { index, state };
    first ??= { index, state };
  }
  return first;
}

/** What is held at these prices. */
export function worthAt(state: Snapshot, held: Held, { instruments }: Market): number {
  let worth = 0;
  for (const [symbol, { price }] of Object.entries(held)) {
    const position = state.held.get(symbol);
    if (position !== undefined) worth += worthOf(instruments.get(symbol)!, position, price);
  }
  return worth;
}

function valueDay(row: string, day: Day, state: Snapshot, market: Market): Finding[] {
  const findings: Finding[] = [];
  const same = (figure: string, stored: number, recomputed: number) => {
    if (!isSame(stored, recomputed)) findings.push({ kind: 'day', row, figure, stored, recomputed });
  };
  if (!holdsTheSame(state, day.held))
    findings.push({
      kind: 'day',
      row,
      figure: 'what was held',
      stored: unitsText(Object.entries(day.held)),
      recomputed: unitsText([...state.held]),
    });
  const worth = worthAt(state, day.held, market);
  same('cash', day.cash, state.cash);
  same('value of the positions', day.positions, worth);
  same('equity', day.equity, day.cash + worth);
  return findings;
}

/** A day that was valued at its close has the close, unless a split or dividend took effect before the next session. */
function checkPrices(row: string, { date, at, held }: Day, { closes, actions }: Market): Finding[] {
  return Object.entries(held).flatMap(([symbol, { price }]): Finding[] => {
    const bar = closes.get(symbol)?.find((one) => one.date === date);
    if (bar === undefined || bar.closedAt !== at || isNear(price, bar.close)) return [];
    if (
      actions.some(
        (one) =>
          one.symbol === symbol && one.exDate > date && one.exDate <= plusDays(date, LONGEST_BREAK_DAYS),
      )
    )
      return [];
    return [{ kind: 'day', row, figure: `price of ${symbol}`, stored: price, recomputed: bar.close }];
  });
}

function holdsTheSame(state: Snapshot, held: Held): boolean {
  const symbols = Object.keys(held);
  return (
    symbols.length === state.held.size &&
    symbols.every((symbol) => isSameUnits(held[symbol]!.units, state.held.get(symbol)?.units ?? 0))
  );
}

function stateAt(snapshots: readonly Snapshot[], { at, held }: Day, from: number): Snapshot {
  const possible = snapshots.slice(from);
  return (
    possible.find((state) => holdsTheSame(state, held)) ??
    possible.findLast((state) => state.at <= at) ??
    possible[0] ??
    snapshots.at(-1)!
  );
}

function unitsText(held: readonly (readonly [string, { readonly units: number }])[]): string {
  return held.length === 0 ? 'nothing' : held.map(([symbol, { units }]) => `${units} ${symbol}`).join(', ');
}

function plusDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);
}

const isNear = (left: number, right: number) => Math.abs(left - right) <= 1e-9 * Math.abs(right);
/** A long weekend with a holiday on each side. */
const LONGEST_BREAK_DAYS = 5;
