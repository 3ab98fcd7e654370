// A backtest over columns: between two events nothing changes but prices, so whole stretches of rows are written at once,
// and where something happens it is done in numbers. Bit for bit the result of the backtest by events.
import { micro } from '#units/money.ts';
import type { CompiledDefinition } from '../../strategy/compile-definition.ts';
import type { TargetTable } from '../../strategy/targets/target-table.ts';
import type { BacktestResult } from '../result.ts';
import type { BacktestInput, RowRange } from '../settings.ts';
import { Account } from './account.ts';
import { ContractTargets } from './contract-targets.ts';
import { EndOfDay } from './end-of-day.ts';
import { EquityColumns } from './equity-columns.ts';
import { FillLog } from './fill-log.ts';
import { Guard } from './guard.ts';
import { OrderQueue } from './orders/order-queue.ts';
import { OrderWriter } from './orders/order-writer.ts';
import { Rebalancer } from './orders/rebalancer.ts';
import { SharedRuns } from '../shared-runs.ts';
import type { SessionDates } from './session-dates.ts';
import { Slots } from './slots.ts';
import { TargetFollower } from './target-follower.ts';
import { Venue } from './orders/venue.ts';

export type RunOptions = {
  /** What other backtests over the same series have computed already. */
  readonly shared?: SharedRuns | undefined;
  readonly watch?: RunWatch | undefined;
};

/** Hears how far a run is; it sees, and changes nothing. `equity` of the rows before `done` will not change any more. */
export type RunWatch = (run: {
  readonly timeline: Float64Array;
  readonly equity: Float64Array;
  readonly done: number;
}) => void;

export function vectorizedBacktest(
  input: BacktestInput,
  compiled: CompiledDefinition,
  rows: RowRange,
  { shared = new SharedRuns(input), watch }: RunOptions = {},
): BacktestResult {
  const run = new VectorizedRun(input, compiled, { rows, dates: shared.datesOf(compiled.table.timeline) });
  run.pass(watch);
  return run.result();
}

class VectorizedRun {
  readonly #input: BacktestInput;
  readonly #table: TargetTable;
  readonly #rows: RowRange;
  readonly #account: Account;
  readonly #orders = new OrderQueue();
  readonly #fills: FillLog;
  readonly #writer: OrderWriter;
  readonly #guard: Guard;
  readonly #venue: Venue;
  readonly #endOfDay: EndOfDay;
  readonly #contracts: ContractTargets;
  readonly #follower: TargetFollower;
  readonly #columns: EquityColumns;
  /** The line of the table that is followed; -1 before the first. */
  #line = -1;

  constructor(
    input: BacktestInput,
    { prepared, table }: CompiledDefinition,
    { rows, dates }: { readonly rows: RowRange; readonly dates: SessionDates },
  ) {
    const { settings, series, definition } = input;
    this.#input = input;
    this.#table = table;
    this.#rows = rows;
    const slots = new Slots(input, prepared);
    this.#account = new Account(slots, settings.initialCash);
    this.#fills = new FillLog(slots);
    this.#contracts = new ContractTargets(prepared, slots, dates);
    const { hasOptions } = this.#contracts;
    const allowsShort = definition.direction === 'long_short';
    const orders = this.#orders;
    const terms = { settings, allowsShort, hasOptions };
    this.#writer = new OrderWriter(this.#account, orders, terms);
    const writer = this.#writer;
    const rebalancer = new Rebalancer(this.#account, { orders, writer, terms });
    const { limits } = settings;
    this.#guard = new Guard(this.#account, { orders, rebalancer, writer, limits, hasOptions });
    this.#venue = new Venue(this.#account, {
      orders,
      fills: this.#fills,
      rebalancer,
      guard: this.#guard,
    });
    this.#endOfDay = new EndOfDay(this.#account, {
      orders,
      dates,
      fills: this.#fills,
      series,
      ended: (s, traded, row) => this.#venue.end(s, traded, row),
      hasOptions,
    });
    this.#follower = new TargetFollower(this.#account, {
      contracts: this.#contracts,
      rebalancer,
      guard: this.#guard,
      settings,
    });
    this.#columns = new EquityColumns(this.#account, rows);
  }

  pass(watch?: RunWatch): void {
    const { first, end } = this.#rows;
    const { rows, count } = this.#table;
    while (this.#line + 1 < count && rows[this.#line + 1]! < first) this.#line++;
    const apart = Math.max(ROWS_APART, Math.ceil((end - first) / WORDS_MAX));
    let told = first;
    for (let row = first; row < end; ) {
      row = this.#passQuiet(row);
      if (row < end) this.#passRow(row++);
      if (watch === undefined || row - told < apart) continue;
      told = row;
      watch({ timeline: this.#timeline(), equity: this.#columns.equity, done: row - first });
    }
  }

  #timeline(): Float64Array {
    const { first, end } = this.#rows;
    return this.#table.timeline.subarray(first, Math.max(first, end));
  }

  result(): BacktestResult {
    const { equity, cash, exposure } = this.#columns;
    const fills = this.#fills;
    return {
      timeline: this.#timeline(),
      equity,
      cash,
      exposure,
      get fills() {
        return fills.fills();
      },
      get trades() {
        return fills.trades();
      },
      get income() {
        return fills.income();
      },
      counts: { fills: fills.count, trades: fills.closed },
      notices: this.#guard.notices,
      refusals: Object.fromEntries(this.#writer.refusals),
      finalEquity: equity.length === 0 ? this.#input.settings.initialCash : micro(equity.at(-1)!),
    };
  }

  /** Writes rows as long as nothing but sessions ends in them; the first row that must be looked at. */
  #passQuiet(from: number): number {
    const { first, end } = this.#rows;
    if (this.#follower.isPending || (from === first && this.#line >= 0)) return from;
    const { rows, count } = this.#table;
    let limit = this.#line + 1 < count ? Math.min(end, rows[this.#line + 1]!) : end;
    if (!this.#contracts.isPlain) limit = Math.min(limit, this.#contracts.nextRow(from));
    let row = from;
    while (row < limit) {
      if (!this.#orders.isEmpty || this.#guard.owesCover || this.#account.keepsNewer(row)) return row;
      const session = this.#endOfDay.nextRow(row, limit);
      const to = Math.min(limit, session + 1);
      const until = this.#writeQuiet(row, to);
      if (until < to) return until;
      if (session < limit) {
        this.#endOfDay.pass(session);
        this.#columns.writeRow(session);
      }
      row = to;
    }
    return row;
  }

  /** Rows in which only prices move; returns the first whose prices require action. */
  #writeQuiet(from: number, to: number): number {
    let until = this.#guard.firstStop(from, to);
    this.#columns.writeRows(from, until);
    until = this.#guard.firstMarginLook(this.#columns, from, until);
    this.#guard.followEquity(this.#columns, from, until);
    if (until > from) this.#account.markFresh(until - 1);
    return until;
  }

  /** One row, event by event in the order of the replay. */
  #passRow(row: number): void {
    const { rows, count } = this.#table;
    const isNew = this.#line + 1 < count && rows[this.#line + 1] === row;
    if (isNew) this.#line++;
    this.#venue.open(row);
    this.#follower.open(row, this.#venue);
    if (isNew) this.#follower.leaveWithin(this.#table, this.#line, row, this.#venue);
    this.#account.markAt(row);
    this.#guard.onMarks(row);
    if (this.#endOfDay.nextRow(row, row + 1) === row) this.#endOfDay.pass(row);
    const joins = row === this.#rows.first && this.#line >= 0;
    const rolls = this.#line >= 0 && !this.#contracts.isPlain && this.#contracts.rollsAt(row);
    if (isNew || joins || rolls) {
      this.#follower.follow(this.#table, this.#line, row, this.#venue);
    }
    this.#columns.writeRow(row);
  }
}

/** Between two words of a watch, at least; and how many words there are at most. */
const ROWS_APART = 50;
const WORDS_MAX = 40;
