// Every attack on one strategy, one after the other. Pure: the same input and random numbers give the same results.
import type { BacktestResult } from '../../backtest/result.ts';
import type { BacktestInput } from '../../backtest/settings.ts';
import { returnsOf } from '../../performance/returns.ts';
import { sharpePerPeriod, sharpeRatio } from '../../performance/sharpe-ratio.ts';
import { sampleReturns } from '../sample-reports.ts';
import { type Instant, type IsoDate, utcDate } from '#units/instant.ts';
import {
  type AttackCode,
  type AttackFinding,
  type AttackResult,
  ATTACKS,
  judgedByShareKept,
  notRun,
  type NotRunReason,
} from './attack-result.ts';
import { AttackedRun } from './attacked-run.ts';
import { delayed } from './bar-delay.ts';
import { attackOnBestTrades } from './best-trades.ts';
import { attackByCrises } from './crisis-windows.ts';
import { atDoubleCosts } from './double-costs.ts';
import { attackByNeighbours } from './neighbouring-parameters.ts';
import { attackByOthers } from './other-instruments.ts';
import { attackByRandomEntries } from './random-entries.ts';
import { attackByTail } from './unseen-tail.ts';
import { attackByLuck } from './verdict.ts';

export type Attacked = {
  /** Bars up to the commit. */
  readonly known: BacktestInput;
  /** All bars; the tail begins after `committedAt`. */
  readonly whole: BacktestInput;
  readonly committedAt: Instant;
  /** Of the family, by the grade. */
  readonly deflatedSharpe: number | null;
  /** Sharpe ratios per period of its neighbours; null of those without one. */
  readonly neighbours: readonly (number | null)[];
  /** The same rules elsewhere, or why not. */
  readonly others: readonly BacktestInput[] | NotRunReason;
  readonly isSimulated: boolean;
  readonly random: () => number;
};

export type AttackWatch = {
  /** From 0 to 1, over all. */
  readonly reached: (code: AttackCode, share: number) => void;
  /** A run of the rules under other terms, or elsewhere. */
  readonly ran: (code: AttackCode, result: BacktestResult) => void;
};

/** Throws RangeError where the rules themselves cannot be run. */
export function runAttacks(attacked: Attacked, watch: AttackWatch): readonly AttackResult[] {
  const base = new AttackedRun(attacked.known);
  const result = base.result();
  const own = sharpePerPeriod(returnsOf(result.equity));
  const { definition, settings } = attacked.known;
  const { periodsPerYear } = definition;
  const yearly = (code: AttackCode, one: BacktestResult) => {
    watch.ran(code, one);
    return sharpeRatio(returnsOf(one.equity), periodsPerYear);
  };
  const kept = (code: AttackCode, one: BacktestResult) =>
    judgedByShareKept(own * Math.sqrt(periodsPerYear), yearly(code, one));
  const attacks: Readonly<Record<AttackCode, () => AttackFinding>> = {
    luck: () => attackByLuck(attacked.deflatedSharpe),
    double_costs: () => kept('double_costs', new AttackedRun(atDoubleCosts(base.input)).result()),
    bar_delay: () => kept('bar_delay', base.result(delayed(base.compiled.table))),
    best_trades: () => attackOnBestTrades(result.trades, settings.initialCash),
    neighbours: () => attackByNeighbours(own, attacked.neighbours),
    random_entries: () =>
      attackByRandomEntries(base, attacked.random, (share) =>
        watch.reached('random_entries', (ATTACKS.indexOf('random_entries') + share) / ATTACKS.length),
      ),
    crises: () => attackByCrises({ dates: datesOf(result), equity: result.equity }, attacked.isSimulated),
    unseen_tail: () => {
      const { outOfSample } = sampleReturns(new AttackedRun(attacked.whole).result(), attacked.committedAt);
      return attackByTail(outOfSample, periodsPerYear);
    },
    other_instruments: () =>
      typeof attacked.others === 'string'
        ? notRun(attacked.others)
        : attackByOthers(
            attacked.others.map((other) => yearly('other_instruments', new AttackedRun(other).result())),
          ),
  };
  return ATTACKS.map((code, place) => {
    watch.reached(code, place / ATTACKS.length);
    return { code, ...unlessRefused(attacks[code]) };
  });
}

/** What the engine refuses to run is no finding against the strategy. */
function unlessRefused(attack: () => AttackFinding): AttackFinding {
  try {
    return attack();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return notRun('engine_refused');
  }
}

/** A bar that closes at midnight is the day before's. */
function datesOf({ timeline }: BacktestResult): readonly IsoDate[] {
  return Array.from(timeline, (closedAt) => utcDate((closedAt - 1) as Instant));
}
