// Who pays a performance fee. Where the law lets only qualified clients pay one, nobody else is charged: without an attestation
// the fee is none, and profit made until then is never charged later.
import type { IsoDate } from '#units/instant.ts';
import type { Installation } from '../installation.ts';
import { eligibilityRulesOn } from './rule-book.ts';

export const ATTESTATION_BASES = ['assets_under_management', 'net_worth'] as const;
export type AttestationBasis = (typeof ATTESTATION_BASES)[number];

export type FeeFacts = {
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null;
  /** Null without an attestation that stands. */
  readonly basis: AttestationBasis | null;
  readonly installation?: Installation;
  /** The client wrote the rules. */
  readonly isOwnStrategy?: boolean;
};

export type FeeDecision = {
  readonly ruleVersion: string;
  readonly isCharged: boolean;
  readonly reason: 'no_provider' | 'own_strategy' | 'not_restricted' | 'qualified_client' | 'no_attestation';
};

export function decidePerformanceFee(
  { country, basis, installation, isOwnStrategy = false }: FeeFacts,
  day: IsoDate,
): FeeDecision {
  const { version: ruleVersion, qualifiedClient } = eligibilityRulesOn(day);
  if (installation === 'own') return { ruleVersion, isCharged: false, reason: 'no_provider' };
  if (isOwnStrategy) return { ruleVersion, isCharged: false, reason: 'own_strategy' };
  if (country === null || !qualifiedClient.countries.includes(country))
    return { ruleVersion, isCharged: true, reason: 'not_restricted' };
  return basis === null
    ? { ruleVersion, isCharged: false, reason: 'no_attestation' }
    : { ruleVersion, isCharged: true, reason: 'qualified_client' };
}

/** The words that a person agrees to. */
export function attestationText(basis: AttestationBasis, day: IsoDate): string {
  const { qualifiedClient } = eligibilityRulesOn(day);
  return basis === 'net_worth'
    ? `I am a qualified client: my net worth, without my home and together with that of my spouse, is above ${dollars(qualifiedClient.netWorth)}.`
    : `I am a qualified client: at least ${dollars(qualifiedClient.assetsUnderManagement)} of my money is managed by you.`;
}

/** Why a fee is charged or not, as the client reads it. */
export function feeText(reason: FeeDecision['reason']): string {
  switch (reason) {
    case 'no_provider':
      return 'Nobody charges a fee here: you run this installation for yourself.';
    case 'own_strategy':
      return 'You pay no performance fee on rules that you wrote.';
    case 'not_restricted':
      return 'The performance fee of the agreement applies to you.';
    case 'qualified_client':
      return 'The performance fee applies to you, because you state that you are a qualified client.';
    case 'no_attestation':
      return 'You pay no performance fee: in the United States only a qualified client may pay one, and you have not stated that you are one.';
    default:
      return reason satisfies never;
  }
}

function dollars(amount: number): string {
  return `$${String(amount).replace(/\B(?=(?:\d{3})+$)/g, ',')}`;
}
