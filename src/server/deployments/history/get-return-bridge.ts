import type { returnBridgeEndpoints } from '#contract/return-bridge.ts';
import { findBridgeBooks } from '#records/books/bridge-books.ts';
import { actualDays } from '#rules/portfolio/bridge/actual-days.ts';
import { isoText } from '#units/instant.ts';
import { fromMicro } from '#units/money.ts';
import type { Call } from '../../http/call.ts';
import { notFound } from '../../http/refusal.ts';

export const getReturnBridge: Call<typeof returnBridgeEndpoints.getReturnBridge> = async (
  { params, caller },
  { records },
) => {
  const found = await findBridgeBooks(records.database, { id: params.id, userId: caller.userId });
  if (found === null) return notFound();
  const { books, instruments, references } = found;
  return {
    started_at: isoText(found.start),
    amount: fromMicro(found.amount),
    stop_loss_percentage: found.stopLossPercentage,
    max_allocation_per_trade: found.maxAllocationPercent,
    freeze_on_drawdown: found.freezeOnDrawdownPercent,
    takes_fractions: found.takesFractions,
    result: found.result,
    days: actualDays(books, instruments, references).map((day) => ({
      date: day.date,
      invested: fromMicro(day.invested),
      value: fromMicro(day.value),
      explained: fromMicro(day.explained),
      slippage: fromMicro(day.slippage),
      commission: fromMicro(day.commission),
      cash: fromMicro(day.cash),
      income: fromMicro(day.income),
      fee: fromMicro(day.fee),
    })),
  };
};
