import type { ErrorCode } from '#contract/http/error-code.ts';
import type { DeploymentGate, ShutGate } from '#rules/deployments/gates.ts';
import { refuse, type Refused } from '../../http/refusal.ts';

const CODES: Readonly<Record<DeploymentGate, ErrorCode>> = {
  risk_profile_missing: 'risk_profile_missing',
  not_suitable: 'unsuitable',
  not_eligible: 'not_eligible',
  agreement_not_signed: 'agreement_unsigned',
  fee_unpaid: 'fee_unpaid',
  strategy_not_offered: 'strategy_unavailable',
  own_strategy_not_ready: 'strategy_unavailable',
  broker_not_connected: 'connection_inactive',
  broker_market_not_supported: 'market_unsupported',
  not_enough_cash: 'insufficient_cash',
};

/** The first closed gate; the details list all of them. Null when every gate is open. */
export function refuseGates(gates: readonly ShutGate[]): Refused | null {
  const [first] = gates;
  if (!first) return null;
  return refuse(CODES[first.gate], first.message, {
    field: first.field ?? FIELDS[first.gate],
    details: { gates: gates.map(({ gate, field, message }) => ({ code: CODES[gate], field, message })) },
  });
}

/** When the rule names no field of the user's, the part of the deployment that it stops. */
const FIELDS: Partial<Record<DeploymentGate, string>> = {
  risk_profile_missing: 'strategy',
  agreement_not_signed: 'strategy',
  fee_unpaid: 'strategy',
};
