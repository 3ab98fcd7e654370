import { hasSignedAgreement } from '#records/agreements/agreements.ts';
import type { ConnectionRecord } from '#records/brokerage/broker-connections.ts';
import type { Database } from '#records/postgres/database.ts';
import { hasPaidFees } from '#records/fees/unpaid-fees.ts';
import { findRiskProfile } from '#records/suitability/risk-profiles.ts';
import { findOwnStrategyFacts } from '#records/strategies/own-strategy-facts.ts';
import type { StrategyRecord } from '#records/strategies/strategies.ts';
import { findUser } from '#records/identity/users.ts';
import type { GateFacts } from '#rules/deployments/gates.ts';
import type { Installation } from '#rules/installation.ts';
import { AGREEMENT_VERSION } from '#rules/provider.ts';
import type { UserId } from '#units/identifiers.ts';

type About = {
  readonly installation: Installation;
  readonly userId: UserId;
  readonly strategy: StrategyRecord;
  readonly connection: ConnectionRecord;
};

/** The facts that the gates check, except cash. A retired strategy is still available to users who hold it. */
export async function gateFacts(
  database: Database,
  { installation, userId, strategy, connection }: About,
): Promise<Omit<GateFacts, 'investment' | 'availableCash' | 'strategyOffered' | 'strategyInterval'>> {
  const [profile, user, agreementSigned, feesPaid, ownStrategy] = await Promise.all([
    findRiskProfile(database, userId),
    findUser(database, userId),
    hasSignedAgreement(database, { userId, version: AGREEMENT_VERSION }),
    hasPaidFees(database, userId),
    findOwnStrategyFacts(database, strategy),
  ]);
  return {
    strategyScore: strategy.riskScore,
    clientScore: profile?.riskScore ?? null,
    eligibility:
      installation === 'own'
        ? null
        : { dateOfBirth: user?.dateOfBirth ?? null, country: user?.country ?? null },
    agreementSigned,
    feesPaid,
    ownStrategy,
    brokerConnected: connection.status === 'active',
    marketSupported: connection.supportedAssets.includes(strategy.kind),
  };
}
