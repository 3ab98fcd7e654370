import type { StreamedFill as Fill } from '#contract/notifications.ts';
import type { StreamedFill } from '#records/notifications/stream.ts';
import { fromMicro, parseMicro } from '#units/money.ts';

export function showFill(fill: StreamedFill): Fill {
  return {
    id: fill.executionId,
    deployment: fill.deploymentId,
    ticker: fill.symbol,
    trade_type: fill.side,
    quantity: Number(fill.quantity),
    price: Number(fill.price),
    commission: fromMicro(parseMicro(fill.commissionMicro)),
    executed_at: fill.executedAt.toISOString(),
  };
}
