import type { FeeAccrual } from '#contract/fees.ts';
import { feeAccrual } from '#rules/fees/fee-accrual.ts';
import { fromMicro, toMicro } from '#units/money.ts';
import { inputsOf } from './stated-bill.ts';

/** The figures of a deployment that move with each price and fill. */
export type MovingFigures = {
  readonly equity: number;
  readonly total_pnl: number;
  readonly investment_amount: number;
  readonly as_of: string;
};

/**
 * The fee at the value that the page shows, by the rule that bills it: both are of one moment. After a deposit or withdrawal
 * the figures of the last answer stay until the next one knows of it.
 */
export function accrualNow(read: FeeAccrual, now: MovingFigures): FeeAccrual {
  if (toMicro(now.investment_amount) !== toMicro(read.capital)) return read;
  const moved = { ...read, settled_result: now.total_pnl, equity: now.equity, as_of: now.as_of };
  const { accrued, ifClosed } = feeAccrual(
    { ...inputsOf(moved), equity: toMicro(moved.equity) },
    read.fee_percent,
  );
  return {
    ...moved,
    adjusted_high_water_mark: fromMicro(accrued.adjustedMark),
    accrued: { profit: fromMicro(accrued.profit), fee: fromMicro(accrued.fee) },
    if_closed: {
      gross: fromMicro(ifClosed.gross),
      profit: fromMicro(ifClosed.bill.profit),
      fee: fromMicro(ifClosed.bill.fee),
      net: fromMicro(ifClosed.net),
    },
  };
}
