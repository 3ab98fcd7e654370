// Why money that was to be added to a deployment or withdrawn from it waits, or did not move, as its owner reads it.
import type { FlowReason } from '#engine/execution/flows/flow.ts';

const SENTENCES: Readonly<Record<FlowReason, string>> = {
  awaits_sales: 'Positions are being reduced. The money is withdrawn once enough is free.',
  awaits_capacity:
    'The strategy is full. The money is added when its turn in the queue comes and there is room for all of it.',
  paused:
    'Trading is paused, so positions are not reduced. Resume trading, or cancel and withdraw what is free.',
  cash_not_reported: 'Your broker has not reported the cash in your account. It is added once it has.',
  cash_not_enough:
    'Your broker account does not hold enough free cash for it. Add money at your broker, or choose less.',
  broker_not_connected: 'Your broker account is not connected. Connect it first.',
  agreement_not_signed: 'The investment agreement is not signed. Sign it first.',
  fee_unpaid: 'A performance fee is unpaid. Pay it first: see your fee bills.',
  risk_profile_missing: 'The risk assessment is missing. Complete it first.',
  not_suitable: 'The strategy no longer suits your risk profile.',
  frozen: 'Trading is frozen. Resume trading first.',
  closing: 'The deployment is closing. All its money becomes free cash in your brokerage account.',
  quarantined: 'The deployment is set aside after repeated failures. Support is looking at it.',
  not_begun: 'The deployment has not started yet.',
  below_minimum: 'It would leave less than the strategy needs. Close the deployment to get everything out.',
  nothing_left: 'The deployment is worth nothing any more. Deploy the strategy anew.',
  nothing_freed: 'Nothing could be sold for it within seven days. Ask again, or close the deployment.',
};

export function flowReason(reason: FlowReason): string {
  return SENTENCES[reason];
}
