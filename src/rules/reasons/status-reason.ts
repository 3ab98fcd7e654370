// Why a deployment is in its state, or not yet in the requested one, as its owner reads it.
import type { FailingTask, NamedOrder, StatusReason, TradingTask } from '#engine/lifecycle/status-reason.ts';
import { quantityText } from '#units/quantity.ts';
import { gateReason } from './gate-reason.ts';

/** A whole sentence, or several. */
export function statusReason(reason: StatusReason): string {
  switch (reason.code) {
    case 'broker_not_connected':
    case 'agreement_not_signed':
    case 'fee_unpaid':
    case 'risk_profile_missing':
    case 'not_suitable':
    case 'cash_not_reported':
    case 'cash_not_enough':
    case 'awaits_capacity':
      return gateReason(reason);
    case 'paused':
      return sentences(
        'No orders are sent while it is paused, not even stop-loss sales.',
        reason.keepsStops ? 'Protective stops at your broker stay there.' : null,
        stillAtBrokerText(reason.atBroker),
      );
    case 'closing':
      return sentences(
        'Positions are closed when their markets open; then the deployment ends.',
        stillAtBrokerText(reason.atBroker),
      );
    case 'drawdown_limit':
      return `Its value fell ${reason.limitPercent}% from its peak, which is your limit. No new positions are opened until you resume trading; existing ones can still be sold.`;
    case 'quarantined':
      return sentences(
        `It could not continue: ${failingTask(reason.failing)}. Our support team has been informed.`,
        reason.from === 'stopping' || reason.from === 'liquidating'
          ? 'Its positions are not closed until they have looked.'
          : null,
      );
    default:
      return reason satisfies never;
  }
}

/** The orders that may still fill at the broker, as a sentence; null without one. */
export function stillAtBrokerText(orders: readonly NamedOrder[]): string | null {
  if (orders.length === 0) return null;
  const named = orders.map(({ side, quantity, symbol }) => `${side} ${quantityText(quantity)} ${symbol}`);
  return `Still at your broker, with its cancellation requested: ${named.join(', ')}.`;
}

/** What keeps failing, as the end of a sentence without its full stop. */
export function failingTask({ task, symbol }: FailingTask): string {
  const named = symbol === null ? '' : ` of ${symbol}`;
  return `its ${TASKS[task]}${named} keeps failing`;
}

/** Any task of the trader as people call it; one without a name of its own as "work". */
export function taskName(task: string): string {
  return new Map<string, string>(Object.entries(TASKS)).get(task) ?? 'work';
}

const TASKS: Readonly<Record<TradingTask, string>> = {
  'life-cycle': 'status update',
  'fan-out': 'order generation',
  mark: 'valuation',
  'closing-mark': 'valuation at the close',
  tripwire: 'comparison with its record',
  'protective-stops': 'placement of protective stops',
  'end-of-day': 'end-of-day processing',
  billing: 'billing',
  flows: 'adding and withdrawing of money',
};

function sentences(...parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null).join(' ');
}
