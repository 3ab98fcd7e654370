import type { User } from '#contract/identity.ts';
import { findAgreementDeadline, findNewestSigned } from '#records/agreements/agreement-deadlines.ts';
import { hasSignedAgreement } from '#records/agreements/agreements.ts';
import { listConnections } from '#records/brokerage/broker-connections.ts';
import { readEquity } from '#records/deployments/deployment-views.ts';
import { listDeploymentIds } from '#records/deployments/deployments.ts';
import { findRiskProfile } from '#records/suitability/risk-profiles.ts';
import { getUser } from '#records/identity/users.ts';
import { changesSince } from '#rules/agreements/agreement-versions.ts';
import { checkEligibility } from '#rules/eligibility/check-eligibility.ts';
import { AGREEMENT_VERSION } from '#rules/provider.ts';
import type { UserId } from '#units/identifiers.ts';
import { type Instant, utcDate } from '#units/instant.ts';
import { showConnection } from '../answers/show-connection.ts';
import type { Database } from '#records/postgres/database.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { portfolioSeries } from '../answers/portfolio-series.ts';
import { showRiskProfile } from '../answers/show-risk-profile.ts';

/** The user's own view of their account. Throws when the user does not exist: the caller is signed in. */
export async function showUser(id: UserId, { records, now, config }: Dependencies): Promise<User> {
  const { database, pool } = records;
  const [found, isSigned, change, deployments, connections, profile, equity] = await Promise.all([
    getUser(database, id),
    hasSignedAgreement(database, { userId: id, version: AGREEMENT_VERSION }),
    findAgreementChange(database, id, now()),
    listDeploymentIds(database, id),
    listConnections(database, id),
    findRiskProfile(database, id),
    readEquity(pool, { userId: id, id: null, days: null }),
  ]);
  const [problem] = config.installation === 'own' ? [] : checkEligibility(found, utcDate(now()));
  const active = connections.filter(({ status }) => status === 'active');
  return {
    id,
    email: found.email,
    username: found.email,
    first_name: found.firstName,
    last_name: found.lastName,
    role: found.role,
    is_email_verified: found.isEmailVerified,
    date_of_birth: found.dateOfBirth,
    country: found.country,
    is_eligible: problem === undefined,
    eligibility_reason: problem?.message ?? null,
    is_agreement_signed: isSigned,
    agreement_change: isSigned ? null : change,
    deployed_strategies: [...deployments],
    broker_connections: connections.map((connection) => showConnection(connection, now())),
    connectedBrokers: [...new Set(active.map(({ brokerId }) => brokerId))],
    performance: portfolioSeries(equity),
    risk_profile: profile ? showRiskProfile(profile) : null,
    created_at: found.createdAt.toISOString(),
  };
}

/** Null for whoever has signed no version. */
async function findAgreementChange(
  database: Database,
  id: UserId,
  now: Instant,
): Promise<User['agreement_change']> {
  const [signed, signBy] = await Promise.all([
    findNewestSigned(database, id),
    findAgreementDeadline(database, AGREEMENT_VERSION),
  ]);
  if (signed === null) return null;
  return {
    signed_version: signed,
    version: AGREEMENT_VERSION,
    changes: [...changesSince(signed)],
    sign_by: signBy?.toISOString() ?? null,
    is_over: signBy !== null && signBy.getTime() <= now,
  };
}
