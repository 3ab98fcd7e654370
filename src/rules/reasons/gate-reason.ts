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
    case 'risk_profile_missing':
      return 'Please complete the risk assessment first.';
    case 'not_suitable':
      return suitabilityNote(reason.strategyScore, reason.clientScore);
    default:
      return reason satisfies never;
  }
}
