// Why a deployment may not start or continue, and the way out, as its owner reads it: in the wizard, at a resume and
// next to a deployment that waits.
import type { GateReason } from '#engine/lifecycle/status-reason.ts';
import { suitabilityNote } from '../suitability/is-suitable.ts';

export function gateReason(reason: GateReason): string {
  switch (reason.code) {
    case 'broker_not_connected':
      return 'Please connect your broker account first.';
    case 'agreement_not_signed':
      return 'Please sign the investment agreement first.';
    case 'fee_unpaid':
      return 'A performance fee is unpaid. Please pay it first: see your fee bills.';
    case 'risk_profile_missing':
      return 'Please complete the risk assessment first.';
    case 'cash_not_reported':
      return 'It starts as soon as your broker reports the cash in your account. You need do nothing.';
    case 'cash_not_enough':
      return 'Your broker account does not hold enough free cash for it. It starts as soon as it does: add money at your broker, or stop this deployment and deploy a smaller amount.';
    case 'awaits_capacity':
      return 'The strategy is full. It starts when its turn in the queue comes and there is room for all of it.';
    case 'not_suitable':
      return suitabilityNote(reason.strategyScore, reason.clientScore);
    default:
      return reason satisfies never;
  }
}
