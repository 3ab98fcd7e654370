// The splits and dividends of a share as columns, like its bars. Read from a list once: a list of actions never
// changes, and backtests over the same bars need it again and again.
import type { CorporateAction } from './corporate-action.ts';
import { dayOfDate } from './trading-day.ts';

export type ActionColumns = {
  readonly hasSplit: boolean;
  /** Days since 1970-01-01, never falling; actions of the same day keep their order. */
  readonly days: Int32Array;
  /** 1 for a split. */
  readonly splits: Uint8Array;
  readonly amounts: Float64Array;
};

export function actionColumns(actions: readonly CorporateAction[]): ActionColumns {
  let columns = COLUMNS.get(actions);
  if (columns === undefined) COLUMNS.set(actions, (columns = readColumns(actions)));
  return columns;
}

function readColumns(actions: readonly CorporateAction[]): ActionColumns {
  const days = Int32Array.from(actions, ({ exDate }) => dayOfDate(exDate));
  if (days.some((day, i) => i > 0 && day < days[i - 1]!)) return readColumns(actions.toSorted(byDay));
  const splits = Uint8Array.from(actions, ({ kind }) => (kind === 'split' ? 1 : 0));
  const amounts = Float64Array.from(actions, ({ amount }) => amount);
  return { hasSplit: splits.includes(1), days, splits, amounts };
}

function byDay(a: CorporateAction, b: CorporateAction): number {
  return dayOfDate(a.exDate) - dayOfDate(b.exDate);
}

const COLUMNS = new WeakMap<readonly CorporateAction[], ActionColumns>();
