import { randomUUID } from 'node:crypto';
import type { CreatePracticeRequest, deploymentsEndpoints } from '#contract/deployments.ts';
import type { PracticeAccess } from '#ports/practice-venue.ts';
import { lockPerson } from '#records/billing/subscriptions.ts';
import { credentialsPurpose, sealSecret } from '#records/keys/sealed-secret.ts';
import { rangeJob } from '#records/jobs/range-job.ts';
import { sendJobs } from '#records/jobs/send-jobs.ts';
import { createDeployment as create } from '#records/deployments/deployments.ts';
import { openingPosting, postTransaction } from '#records/portfolio/ledger.ts';
import type { Transaction } from '#records/postgres/database.ts';
import { connectPractice, countPractice } from '#records/practice/practice-connections.ts';
import { findDeployableStrategy, type StrategyRecord } from '#records/strategies/strategies.ts';
import { findRiskProfile } from '#records/suitability/risk-profiles.ts';
import { offerOf, shutPracticeGates } from '#rules/deployments/gates.ts';
import { DEFAULT_TRIPWIRE_CHOICE } from '#rules/deployments/tripwire-text.ts';
import { practiceRefusal } from '#rules/deployments/practice.ts';
import type { BrokerConnectionId, DeploymentId, UserId } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import { type Micro, toMicro } from '#units/money.ts';
import type { Call } from '../http/call.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { refuse, type Refused } from '../http/refusal.ts';
import { disconnectPolicyOf, refuseFields } from './gates/refuse-fields.ts';
import { refuseChangedRules } from './gates/refuse-changed-rules.ts';
import { refuseGates } from './gates/refuse-gates.ts';
import { showOwnDeployment } from './show-own-deployment.ts';

/**
 * A deployment over a practice account of its own, which holds its amount. A failure after the account was opened leaves
 * an empty account that nothing refers to.
 */
export const createPracticeDeployment: Call<typeof deploymentsEndpoints.createPracticeDeployment> = async (
  { body, caller: { userId }, repetitionId },
  dependencies,
) => {
  const { records, marketData, practiceVenue } = dependencies;
  const id = (repetitionId ?? randomUUID()) as DeploymentId;
  const made = await dependencies.findDeployment({ id, userId });
  if (made) return made;
  const strategy = await findDeployableStrategy(records.database, { id: body.strategy, userId });
  if (!strategy) return refuse('not_found', 'Strategy not found', { field: 'strategy' });
  const investment = toMicro(body.investment_amount);
  const wrong = refuseFields(body, investment, strategy);
  if (wrong) return wrong;
  const profile = await findRiskProfile(records.database, userId);
  const shut = shutPracticeGates({
    strategyScore: strategy.riskScore,
    clientScore: profile?.riskScore ?? null,
    ...offerOf(strategy, marketData.intraday),
  });
  const closed = refuseGates(shut);
  if (closed) return closed;
  const clock = await marketData.clock();
  const opened = clock.ok ? await practiceVenue.openAccount({ cash: investment }) : null;
  if (!clock.ok || opened?.outcome !== 'ok')
    return refuse('unavailable', 'Practice is not available right now. Please try again shortly.');
  const at = clock.value.now;
  const refused = await records.database
    .transaction()
    .execute((trx) =>
      write(trx, { id, userId, strategy, investment, body, access: opened.value, at }, dependencies),
    );
  return refused ?? showOwnDeployment({ id, userId }, dependencies);
};

type NewPractice = {
  readonly id: DeploymentId;
  readonly userId: UserId;
  readonly strategy: StrategyRecord;
  readonly investment: Micro;
  readonly body: CreatePracticeRequest;
  readonly access: PracticeAccess;
  readonly at: Instant;
};

async function write(
  trx: Transaction,
  { id, userId, strategy, investment, body, access, at }: NewPractice,
  { keys, now }: Dependencies,
): Promise<Refused | null> {
  await lockPerson(trx, userId);
  const tooMany = practiceRefusal(await countPractice(trx, userId));
  if (tooMany !== null) return refuse('practice_limit', tooMany);
  const changed = await refuseChangedRules(trx, strategy);
  if (changed !== null) return changed;
  const connectionId = randomUUID() as BrokerConnectionId;
  const sealedCredentials = sealSecret(JSON.stringify(access.credentials), {
    keys,
    purpose: credentialsPurpose({ id: connectionId, vendor: 'practice' }),
  });
  const { accountId } = access;
  await connectPractice(trx, { id: connectionId, userId, accountId, sealedCredentials, at: now() });
  await create(trx, {
    id,
    userId,
    strategyId: strategy.id,
    versionId: strategy.versionId,
    connectionId,
    mode: 'practice',
    investment,
    settings: body,
    disconnectPolicy: disconnectPolicyOf(body),
    tripwireChoice: body.tripwire_choice ?? DEFAULT_TRIPWIRE_CHOICE,
    awaitsCash: false,
    at,
  });
  await sendJobs(trx, 'result-renewals', [rangeJob(id, strategy.versionId)]);
  await postTransaction(trx, openingPosting(id, investment, at));
  return null;
}
