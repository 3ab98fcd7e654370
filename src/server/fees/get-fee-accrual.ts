import type { feesEndpoints } from '#contract/fees.ts';
import { findRunningPeriod } from '#records/fees/fee-accruals.ts';
import { feeAccrual } from '#rules/fees/fee-accrual.ts';
import { nextFeePeriodEnd } from '#rules/fees/fee-period.ts';
import { isoText } from '#units/instant.ts';
import { fromMicro } from '#units/money.ts';
import type { Call } from '../http/call.ts';
import { notFound } from '../http/refusal.ts';
import { feePercentOf } from './get-fee-payment.ts';

export const getFeeAccrual: Call<typeof feesEndpoints.getFeeAccrual> = async (
  { params, caller },
  { records, now, config },
) => {
  const period = await findRunningPeriod(records.database, { id: params.id, userId: caller.userId });
  if (period === undefined) return notFound();
  const { figures, start, feePeriod, isOwnStrategy } = period;
  const client = { userId: caller.userId, isOwnStrategy };
  const feePercent = await feePercentOf(client, { records, now, config });
  const { accrued, ifClosed } = feeAccrual(figures, feePercent);
  return {
    deployment: period.deploymentId,
    number: period.number,
    period_start: isoText(start),
    period_end: isoText(nextFeePeriodEnd(feePeriod, start)),
    as_of: isoText(period.asOf),
    opening_high_water_mark: fromMicro(figures.highWaterMark),
    capital: fromMicro(figures.capital),
    net_flow: fromMicro(accrued.netFlow),
    settled_result: fromMicro(figures.settledResult),
    adjusted_high_water_mark: fromMicro(accrued.adjustedMark),
    equity: fromMicro(figures.equity),
    fee_percent: feePercent,
    accrued: { profit: fromMicro(accrued.profit), fee: fromMicro(accrued.fee) },
    if_closed: {
      gross: fromMicro(ifClosed.gross),
      profit: fromMicro(ifClosed.bill.profit),
      fee: fromMicro(ifClosed.bill.fee),
      net: fromMicro(ifClosed.net),
    },
  };
};
