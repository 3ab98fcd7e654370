// Round trips, computed again from executions, events of holdings and adjustments alone: each from the moment at which an instrument is
// first held until nothing of it is left.
import type { Step, TradeStep } from './fold-bookings.ts';
import type { Books, Finding, Instrument, Market, RoundTrip } from './rows.ts';
import { isSame, isSameUnits, trade, wholeUnits } from './trade.ts';

export function checkTrips({ deployment, trips }: Books, steps: readonly Step[], market: Market): Finding[] {
  const findings: Finding[] = [];
  const bySymbol = Map.groupBy(steps, ({ symbol }) => symbol);
  const symbols = new Set([...bySymbol.keys(), ...trips.map(({ symbol }) => symbol)]);
  for (const symbol of symbols) {
    const instrument = market.instruments.get(symbol);
    if (instrument === undefined) continue;
    const recomputed = walk(corrected(inPlace(bySymbol.get(symbol) ?? [])), instrument);
    const stored = trips.filter((one) => one.symbol === symbol);
    for (let index = 0; index < Math.max(stored.length, recomputed.length); index++) {
      const row = `${index + 1} of ${symbol} of deployment ${deployment.id}`;
      findings.push(...compare(row, stored[index], recomputed[index]));
    }
  }
  return findings;
}

type Trip = Omit<RoundTrip, 'symbol' | 'number'>;

function compare(row: string, stored: Trip | undefined, recomputed: Trip | undefined): Finding[] {
  const kind = 'round trip';
  if (stored === undefined || recomputed === undefined) {
    const found = { stored: stored?.openedAt ?? null, recomputed: recomputed?.openedAt ?? null };
    return [{ kind, row, figure: 'opened', ...found }];
  }
  const findings: Finding[] = [];
  for (const figure of ['side', 'openedAt', 'closedAt'] as const)
    if (stored[figure] !== recomputed[figure])
      findings.push({ kind, row, figure, stored: stored[figure], recomputed: recomputed[figure] });
  for (const figure of ['units', 'entryPrice', 'exitPrice'] as const) {
    const [one, other] = [stored[figure], recomputed[figure]];
    const same =
      one === null || other === null ? one === other : Math.abs(one - other) <= 1e-6 * Math.abs(other);
    if (!same && !isSameUnits(one ?? 0, other ?? 0))
      findings.push({ kind, row, figure, stored: one, recomputed: other });
  }
  for (const figure of ['commission', 'income', 'result'] as const)
    if (!isSame(stored[figure], recomputed[figure]))
      findings.push({ kind, row, figure, stored: stored[figure], recomputed: recomputed[figure] });
  return findings;
}

/** What was paid later for a session belongs to that session. */
function inPlace(steps: readonly Step[]): Step[] {
  const list: Step[] = [];
  for (const step of steps) {
    const of = step.type === 'income' ? step.of : '';
    const at = of === '' ? -1 : list.findIndex((one) => one.session === of && !one.late);
    if (at < 0) list.push(step);
    else list.splice(at + 1, 0, step);
  }
  return list;
}

/** What an adjustment takes back is gone from the beginning on, and what it books stands there instead. */
function corrected(steps: readonly Step[]): Step[] {
  const list: Step[] = [];
  for (const step of steps) {
    if (step.type !== 'adjust') {
      list.push(step);
      continue;
    }
    const booked = step.booked && { ...step.booked, type: 'trade' as const, name: step.booksName };
    if (step.undoesName === null) {
      if (booked !== null) list.push({ ...step, ...booked });
      continue;
    }
    const index = list.findIndex((one) => one.type === 'trade' && one.name === step.undoesName);
    const old = list[index];
    if (old?.type !== 'trade' || step.whole === null) continue;
    const growth = step.whole.units / old.units;
    const left = wholeUnits((step.whole.units - (step.undone?.units ?? 0)) / growth);
    const instead: TradeStep[] = [];
    if (left !== 0) instead.push({ ...old, units: left, commission: old.commission * (left / old.units) });
    if (booked !== null)
      instead.push({
        ...old,
        ...booked,
        units: wholeUnits(booked.units / growth),
        price: booked.price * growth,
      });
    list.splice(index, 1, ...instead);
  }
  return list;
}

type Running = { -readonly [Figure in keyof Trip]: Trip[Figure] } & {
  entered: number;
  paid: number;
  left: number;
  got: number;
};

function walk(steps: readonly Step[], instrument: Instrument): Trip[] {
  const done: Trip[] = [];
  let state = {
    cash: 0,
    realized: 0,
    held: new Map() as ReadonlyMap<string, { units: number; cost: number }>,
  };
  let running: Running | null = null;
  let early = 0;
  const held = () => state.held.get(instrument.symbol)?.units ?? 0;
  const part = (units: number, { price, at, commission }: TradeStep, profit: number) => {
    const before = held();
    running ??= begin(units, at, early);
    early = 0;
    if (before === 0 || Math.sign(before) === Math.sign(units)) {
      running.entered += Math.abs(units);
      running.paid += Math.abs(units) * price;
    } else {
      running.left += Math.abs(units);
      running.got += Math.abs(units) * price;
    }
    running.commission += commission;
    running.result += profit - commission;
    state = trade(state, instrument, { units, price, commission }).state;
    if (held() !== 0) return;
    done.push(ended(running, at));
    running = null;
  };
  const takes = (step: TradeStep) => {
    const before = held();
    const crosses = before !== 0 && Math.sign(wholeUnits(before + step.units)) === -Math.sign(before);
    const closing = crosses ? -before : step.units;
    const share = closing / step.units;
    const first = { ...step, commission: step.commission * share };
    const { moved } = trade(state, instrument, { units: closing, price: step.price, commission: 0 });
    part(closing, first, moved.profit);
    if (crosses)
      part(wholeUnits(step.units - closing), { ...step, commission: step.commission * (1 - share) }, 0);
  };
  for (const step of steps) {
    if (step.type === 'trade') takes(step);
    else if (step.type === 'expire') {
      if (held() !== 0) takes({ ...step, type: 'trade', name: '', units: -held(), commission: 0 });
    } else if (step.type === 'split') {
      const now = state.held.get(instrument.symbol);
      if (now === undefined || running === null) continue;
      const trip: Running = running;
      // What was traded since the session is in new units already.
      const units = wholeUnits(now.units + (now.units - step.since) * (step.ratio - 1));
      state = { ...state, held: new Map([[instrument.symbol, { ...now, units }]]) };
      trip.left = wholeUnits(trip.left * step.ratio);
      trip.entered = wholeUnits(trip.left + Math.abs(units));
    } else if (step.type === 'income') {
      const last = running ?? done.at(-1);
      if (last === undefined) early += step.amount;
      else {
        (last as Running).income += step.amount;
        (last as Running).result += step.amount;
      }
    }
  }
  return running === null ? done : [...done, ended(running, null)];
}

function begin(units: number, at: string, early: number): Running {
  return {
    side: units > 0 ? 'long' : 'short',
    openedAt: at,
    closedAt: null,
    units: 0,
    entryPrice: 0,
    exitPrice: null,
    commission: 0,
    income: early,
    result: early,
    entered: 0,
    paid: 0,
    left: 0,
    got: 0,
  };
}

function ended({ entered, paid, left, got, ...trip }: Running, at: string | null): Trip {
  const exitPrice = left === 0 ? null : got / left;
  return { ...trip, closedAt: at, units: entered, entryPrice: paid / entered, exitPrice };
}
