import type { Transaction } from 'kysely';
import type { deploymentsEndpoints } from '#contract/deployments.ts';
import { findOwnConnection } from '#records/brokerage/broker-connections.ts';
import type { SteeredDeployment } from '#records/deployments/deployments.ts';
import { findMeasuredStrategy } from '#records/strategies/strategies.ts';
import type { Tables } from '#records/tables.ts';
import { getUser } from '#records/identity/users.ts';
import { findRiskProfile } from '#records/suitability/risk-profiles.ts';
import { recordAdvice } from '#records/suitability/advice-records.ts';
import { refuseUnchecked } from '../http/check-identity.ts';
import { recordEligibility } from '../answers/record-eligibility.ts';
import { shutGates, shutPracticeGates } from '#rules/deployments/gates.ts';
import type { UserId } from '#units/identifiers.ts';
import { utcDate } from '#units/instant.ts';
import { ZERO_MICRO } from '#units/money.ts';
import { refusePlan } from './gates/refuse-plan.ts';
import type { Call } from '../http/call.ts';
import { notFound, type Refused } from '../http/refusal.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { gateFacts } from './gates/gate-facts.ts';
import { refuseGates } from './gates/refuse-gates.ts';
import { steerDeployment } from './steer-deployment.ts';

/** Trading resumes only if every gate is open, as at the start; the money is already in the deployment. */
export const resumeDeployment: Call<typeof deploymentsEndpoints.resumeDeployment> = async (
  { params, caller },
  dependencies,
) => {
  const { userId } = caller;
  const found = await dependencies.findDeployment({ id: params.id, userId });
  // A service may be asked: before anything is locked. Practice asks nobody.
  const unchecked =
    found && found.mode !== 'practice'
      ? await refuseUnchecked(await getUser(dependencies.records.database, userId), dependencies)
      : null;
  const also = async (trx: Transaction<Tables>, deployment: SteeredDeployment) => {
    if (deployment.mode === 'practice') return refusePractice(trx, { deployment, userId });
    if (unchecked !== null) return unchecked;
    const shut = await refuseShutGates(trx, { deployment, userId }, dependencies);
    if (shut) return shut;
    const { id, investment } = deployment;
    return refusePlan(trx, { userId, investment, resumed: id }, dependencies);
  };
  return steerDeployment({ id: params.id, userId, command: 'resume', also }, dependencies);
};

type About = { readonly deployment: SteeredDeployment; readonly userId: UserId };

async function refusePractice(
  trx: Transaction<Tables>,
  { deployment, userId }: About,
): Promise<Refused | null> {
  const strategy = await findMeasuredStrategy(trx, deployment.strategyId);
  if (!strategy) return notFound();
  const profile = await findRiskProfile(trx, userId);
  const { riskScore: strategyScore } = strategy;
  const clientScore = profile?.riskScore ?? null;
  return refuseGates(
    shutPracticeGates({ strategyScore, clientScore, strategyOffered: true, strategyInterval: null }),
  );
}

async function refuseShutGates(
  trx: Transaction<Tables>,
  { deployment, userId }: About,
  { now, config: { installation } }: Dependencies,
): Promise<Refused | null> {
  const strategy = await findMeasuredStrategy(trx, deployment.strategyId);
  const connection = await findOwnConnection(trx, { id: deployment.connectionId, userId });
  if (!strategy || !connection) return notFound();
  const facts = await gateFacts(trx, { installation, userId, strategy, connection });
  const gates = shutGates(
    {
      ...facts,
      strategyOffered: true,
      strategyInterval: null,
      // It has passed what its rules had to show.
      ownStrategy: null,
      investment: ZERO_MICRO,
      availableCash: ZERO_MICRO,
    },
    utcDate(now()),
  );
  // The advice is kept whichever way it goes.
  await recordAdvice(trx, { deploymentId: deployment.id }, 'resume');
  await recordEligibility(trx, { userId, facts: facts.eligibility, today: utcDate(now()) }, 'deployment');
  return refuseGates(gates);
}
