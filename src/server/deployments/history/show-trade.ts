import type { Trade } from '#contract/trade.ts';
import type { TradeRow } from '#records/deployments/deployment-views.ts';
import { orderPurposeText } from '#rules/reasons/order-purpose.ts';
import { orderReason } from '#rules/reasons/order-reason.ts';
import { fromMicro, parseMicro } from '#units/money.ts';

export function showTrade(row: TradeRow): Trade {
  const filled = Number(row.filled_quantity);
  return {
    id: row.id,
    created_at: row.decided_at.toISOString(),
    executed_at: row.executed_at?.toISOString() ?? null,
    trade_type: row.side,
    ticker: row.symbol,
    quantity: filled,
    requested_quantity: Number(row.quantity),
    price: row.average_price === null ? null : Number(row.average_price),
    total_amount: Math.abs(fromMicro(parseMicro(row.filled_value_micro))),
    commission: fromMicro(parseMicro(row.commission_micro)),
    commission_is_estimate: row.commission_is_estimate,
    status: tradeStatus(row.status, filled),
    realized_pnl: fromMicro(parseMicro(row.realized_micro)),
    is_adjustment: row.is_adjustment,
    decision: row.decision,
    trade_notes: notesOf(row),
  };
}

/** The reason for the order, and its outcome if that needs explaining. */
function notesOf({ purpose, side, limit_price, stop_loss_percentage, reason, adjustment }: TradeRow): string {
  if (purpose === null) return adjustment ?? '';
  const stopLossPercentage = stop_loss_percentage === null ? null : Number(stop_loss_percentage);
  const why = orderPurposeText({ purpose, side, limitPrice: Number(limit_price), stopLossPercentage });
  return reason === null ? why : `${why}\n${orderReason(reason)}`;
}

function tradeStatus(status: string, filled: number): Trade['status'] {
  if (status === 'filled') return 'executed';
  if (status === 'unknown') return 'unknown';
  if (filled > 0) return 'partial';
  if (status === 'rejected') return 'failed';
  return status === 'intended' || status === 'sending' || status === 'working' ? 'pending' : 'cancelled';
}
