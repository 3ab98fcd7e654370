// What must hold before a deployment starts or resumes (specification, sections 1, 2 and 5): eligible, suitable,
// agreement signed, broker connected, cash there. Promises every gate that is shut, in the order in which a
// person opens them, each with the way out.
import type { GateReason } from '#engine/lifecycle/status-reason.ts';
import type { UserId } from '#units/identifiers.ts';
import type { InstrumentKind } from '#engine/market/instrument.ts';
import type { IsoDate } from '#units/instant.ts';
import type { Micro } from '#units/money.ts';
import { dollars } from '../dollars.ts';
import { checkEligibility, type EligibilityFacts } from '../eligibility/check-eligibility.ts';
import { gateReason } from '../reasons/gate-reason.ts';
import { type OwnStrategyFacts, practiceFirstNote } from './own-strategy.ts';
import { isSuitable } from '../suitability/is-suitable.ts';
import type { RiskScore } from '../suitability/risk-class.ts';

export type DeploymentGate =
  | 'risk_profile_missing'
  | 'not_suitable'
  | 'not_eligible'
  | 'agreement_not_signed'
  | 'fee_unpaid'
  | 'strategy_not_offered'
  | 'own_strategy_not_ready'
  | 'broker_not_connected'
  | 'broker_market_not_supported'
  | 'not_enough_cash';

export type ShutGate = {
  readonly gate: DeploymentGate;
  /** The field of the request that the gate is about, or null. */
  readonly field: string | null;
  readonly message: string;
};

export type GateFacts = {
  readonly strategyScore: RiskScore;
  /** Null without a risk profile. */
  readonly clientScore: RiskScore | null;
  /** Null where nobody is served: a person trades for themselves. */
  readonly eligibility: EligibilityFacts | null;
  readonly agreementSigned: boolean;
  /** See rules/fees/unpaid-fee.ts. */
  readonly feesPaid: boolean;
  /** False for a retired strategy. */
  readonly strategyOffered: boolean;
  /** Of a strategy that the person wrote; null for one of the provider. */
  readonly ownStrategy: OwnStrategyFacts | null;
  /** Of the bars that the strategy reads, where the feed has none of that length: it is backtested, and not traded. */
  readonly strategyInterval: string | null;
  readonly brokerConnected: boolean;
  /** Whether the broker trades the strategy's kind of instrument. */
  readonly marketSupported: boolean;
  readonly investment: Micro;
  /** Cash at the broker that no other deployment has claimed; null while it is not known. */
  readonly availableCash: Micro | null;
};

/** The gates that are shut on the real calendar day `today`. */
export function shutGates(facts: GateFacts, today: IsoDate): readonly ShutGate[] {
  const gates: ShutGate[] = [];
  const shut = (gate: DeploymentGate, field: string | null, message: string) => {
    gates.push({ gate, field, message });
  };
  const unsuitable = suitabilityGate(facts);
  if (unsuitable !== null)
    shut(unsuitable.code, unsuitable.code === 'not_suitable' ? 'strategy' : null, gateReason(unsuitable));
  const ineligible = facts.eligibility === null ? [] : checkEligibility(facts.eligibility, today);
  for (const problem of ineligible) {
    shut('not_eligible', problem.field, problem.message);
  }
  if (!facts.agreementSigned) {
    shut('agreement_not_signed', null, gateReason({ code: 'agreement_not_signed' }));
  }
  if (!facts.feesPaid) {
    shut('fee_unpaid', null, gateReason({ code: 'fee_unpaid' }));
  }
  const offer = offerNote(facts);
  if (offer !== null) shut('strategy_not_offered', 'strategy', offer);
  const practice = facts.ownStrategy && practiceFirstNote(facts.ownStrategy);
  if (practice !== null) shut('own_strategy_not_ready', 'strategy', practice);
  if (!facts.brokerConnected) {
    shut('broker_not_connected', 'broker_connection', gateReason({ code: 'broker_not_connected' }));
  } else if (!facts.marketSupported) {
    const message =
      'This broker does not trade the markets of this strategy. Please choose a different broker.';
    shut('broker_market_not_supported', 'broker_connection', message);
  } else if (facts.availableCash === null || facts.availableCash < facts.investment) {
    shut('not_enough_cash', 'investment_amount', cashSentence(facts.availableCash));
  }
  return gates;
}

/** The gates of practice: nobody's money needs no broker, agreement or plan; a strategy beyond the person's risk stays shut. */
export function shutPracticeGates(
  facts: Pick<GateFacts, 'strategyScore' | 'clientScore' | 'strategyOffered' | 'strategyInterval'>,
): readonly ShutGate[] {
  const gates: ShutGate[] = [];
  const unsuitable = suitabilityGate(facts);
  if (unsuitable !== null)
    gates.push({ gate: unsuitable.code, field: 'strategy', message: gateReason(unsuitable) });
  const offer = offerNote(facts);
  if (offer !== null) gates.push({ gate: 'strategy_not_offered', field: 'strategy', message: offer });
  return gates;
}

type TradingGateFacts = {
  readonly connectionActive: boolean;
  /** The newest version. */
  readonly agreementCurrent: boolean;
  readonly feesPaid: boolean;
  readonly strategyScore: RiskScore;
  /** Null without a risk profile. */
  readonly clientScore: RiskScore | null;
};

/** The first gate that keeps a deployment, whose money is in it already, from trading; null when all are open. */
export function shutTradingGate(facts: TradingGateFacts): GateReason | null {
  if (!facts.connectionActive) return { code: 'broker_not_connected' };
  if (!facts.agreementCurrent) return { code: 'agreement_not_signed' };
  if (!facts.feesPaid) return { code: 'fee_unpaid' };
  return suitabilityGate(facts);
}

type SuitabilityReason =
  | { readonly code: 'risk_profile_missing' }
  | Extract<GateReason, { readonly code: 'not_suitable' }>;

function suitabilityGate({
  strategyScore,
  clientScore,
}: Pick<TradingGateFacts, 'strategyScore' | 'clientScore'>): SuitabilityReason | null {
  if (clientScore === null) return { code: 'risk_profile_missing' };
  return isSuitable(strategyScore, clientScore) ? null : { code: 'not_suitable', strategyScore, clientScore };
}

/**
 * A private strategy is offered to its writer, as a draft: nobody else finds it. `parts`: the bars shorter than a day that the feed
 * has; undefined where it has days only.
 */
export function offerOf(
  { status, ownerId, interval, kind }: OfferedStrategy,
  parts: { intervals(kind: InstrumentKind): readonly string[] } | undefined,
): Pick<GateFacts, 'strategyOffered' | 'strategyInterval'> {
  const isRead = interval === null || parts?.intervals(kind).includes(interval) === true;
  return {
    strategyOffered: status === 'published' || ownerId !== null,
    strategyInterval: isRead ? null : interval,
  };
}

type OfferedStrategy = {
  readonly status: 'draft' | 'published' | 'retired';
  /** Null for the provider's. */
  readonly ownerId: UserId | null;
  readonly interval: string | null;
  readonly kind: InstrumentKind;
};

/** Why nobody can deploy it; null where they can. */
export function offerNote({
  strategyOffered,
  strategyInterval,
}: Pick<GateFacts, 'strategyOffered' | 'strategyInterval'>): string | null {
  if (!strategyOffered) return 'This strategy is no longer offered for new deployments.';
  return strategyInterval === null
    ? null
    : `This strategy reads bars of ${strategyInterval}, and the prices here have no such bars in time to trade on: it can be backtested, and not deployed.`;
}

function cashSentence(available: Micro | null): string {
  return available === null
    ? 'Your broker has not reported your available cash yet. Please try again in a moment.'
    : `Your broker account has ${dollars(available)} available. Please enter a smaller amount or add money at your broker.`;
}
