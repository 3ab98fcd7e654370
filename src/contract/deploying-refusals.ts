/** What is asked of a person before their money trades. */
export const PERSON_REFUSALS = [
  'risk_profile_missing',
  'unsuitable',
  'not_eligible',
  'agreement_unsigned',
  'fee_unpaid',
] as const;

/** Of a new deployment of real money. */
export const DEPLOYING_REFUSALS = [
  'not_found',
  'below_minimum',
  'out_of_range',
  ...PERSON_REFUSALS,
  'strategy_unavailable',
  'connection_inactive',
  'market_unsupported',
  'insufficient_cash',
  'plan_limit',
] as const;
