// Why an adjustment that two people agreed on was not booked, as they read it.
import type { VoidReason } from '#engine/adjustments/decide-adjustment.ts';
import { quantityText } from '#units/quantity.ts';

/** The end of a sentence. */
export function voidReasonText(reason: VoidReason): string {
  switch (reason.code) {
    case 'changed':
      return 'what it answers has changed since';
    case 'not_in_catalogue':
      return `${reason.symbol} is not in the catalogue`;
    case 'deployment_ended':
      return 'its deployment has ended';
    case 'execution_not_booked':
      return `${reason.execution} is not booked for its deployment`;
    case 'not_held':
      return `its deployment holds no ${quantityText(reason.units)} ${reason.symbol} to give up`;
    case 'short_not_allowed':
      return 'it would leave a deployment short that only buys';
    default:
      return reason satisfies never;
  }
}
