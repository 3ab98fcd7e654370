import { randomUUID } from 'node:crypto';
import type { CreateDeploymentRequest, Deployment, deploymentsEndpoints } from '#contract/deployments.ts';
import { availableCash } from '#engine/execution/connection/account-cash.ts';
import { claimCash, findFreshCash, lockAccountCash } from '#records/brokerage/account-cash.ts';
import { type ConnectionRecord, findOwnConnection } from '#records/brokerage/broker-connections.ts';
import { createDeployment as create } from '#records/deployments/deployments.ts';
import { rangeJob } from '#records/jobs/range-job.ts';
import { sendJobs } from '#records/jobs/send-jobs.ts';
import { getUser } from '#records/identity/users.ts';
import { openingPosting, postTransaction } from '#records/portfolio/ledger.ts';
import { takePlace } from '#records/strategies/capacity-queue.ts';
import { findDeployableStrategy, type StrategyRecord } from '#records/strategies/strategies.ts';
import type { Transaction } from '#records/postgres/database.ts';
import { recordAdvice, recordRefusedAdvice } from '#records/suitability/advice-records.ts';
import { DEFAULT_TRIPWIRE_CHOICE } from '#rules/deployments/tripwire-text.ts';
import { type GateFacts, offerOf, shutGates, type ShutGate } from '#rules/deployments/gates.ts';
import type { DeploymentId, UserId } from '#units/identifiers.ts';
import { type Instant, type IsoDate, utcDate } from '#units/instant.ts';
import { type Micro, toMicro } from '#units/money.ts';
import { refuseUnchecked } from '../http/check-identity.ts';
import { recordEligibility } from '../answers/record-eligibility.ts';
import { refusePlan } from './gates/refuse-plan.ts';
import type { Call } from '../http/call.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { isRefused, refuse, type Refused } from '../http/refusal.ts';
import { refuseTooMuch } from './capacity/refuse-too-much.ts';
import { awaitFreshCash } from './gates/await-fresh-cash.ts';
import { disconnectPolicyOf, refuseFields } from './gates/refuse-fields.ts';
import { showOwnDeployment } from './show-own-deployment.ts';
import { gateFacts } from './gates/gate-facts.ts';
import { refuseChangedRules } from './gates/refuse-changed-rules.ts';
import { refuseGates } from './gates/refuse-gates.ts';

/** Checks every rule of a new deployment, then writes it with its opening entry. The trader makes it trade. */
export const createDeployment: Call<typeof deploymentsEndpoints.createDeployment> = (
  { body, caller: { userId }, repetitionId },
  dependencies,
) => deploy({ body, userId, repetitionId }, dependencies);

type Wanted = {
  readonly body: CreateDeploymentRequest;
  readonly userId: UserId;
  readonly repetitionId?: string | null | undefined;
  /** What must hold besides, before anything is written. */
  readonly first?: (trx: Transaction) => Promise<Refused | null>;
  /** Further work in the same transaction, once it is written. */
  readonly afterwards?: (trx: Transaction, id: DeploymentId) => Promise<void>;
};

export async function deploy(
  { body, userId, repetitionId, first, afterwards }: Wanted,
  dependencies: Dependencies,
): Promise<Deployment | Refused> {
  const { records, marketData, now } = dependencies;
  const id = (repetitionId ?? randomUUID()) as DeploymentId;
  const made = await dependencies.findDeployment({ id, userId });
  if (made) return made;
  const parts = await findParts(body, userId, dependencies);
  if (isRefused(parts)) return parts;
  const investment = toMicro(body.investment_amount);
  const wrong = refuseFields(body, investment, parts.strategy);
  if (wrong) return wrong;
  const today = utcDate(now());
  const facts = { ...(await factsOf(parts, userId, dependencies)), investment };
  const gates = shutGates({ ...facts, availableCash: investment }, today);
  const shut = refuseGates(gates);
  if (shut) {
    await recordRefusal(
      { userId, strategyId: parts.strategy.id, investment },
      { facts, gates, today },
      dependencies,
    );
    return shut;
  }
  const unchecked = await refuseUnchecked(await getUser(records.database, userId), dependencies);
  if (unchecked) return unchecked;
  const { accountId } = parts.connection;
  if (accountId === null) throw new Error('a connected account has a number');
  await awaitFreshCash(parts.connection, dependencies);
  const clock = await marketData.clock();
  if (!clock.ok)
    return refuse('unavailable', 'The market clock is not responding. Please try again shortly.');
  const refused = await records.database.transaction().execute(async (trx): Promise<Refused | null> => {
    const refusal = (await first?.(trx)) ?? (await refuseChangedRules(trx, parts.strategy));
    if (refusal !== null) return refusal;
    const beyondPlan = await refusePlan(
      trx,
      { userId, investment, least: parts.strategy.minInvestment },
      dependencies,
    );
    if (beyondPlan) return beyondPlan;
    await lockAccountCash(trx, accountId);
    const cash = await findFreshCash(trx, accountId);
    const tooLittle = cash && refuseGates(shutGates({ ...facts, availableCash: availableCash(cash) }, today));
    if (tooLittle) return tooLittle;
    const wanted = { amount: investment, field: 'investment_amount' };
    const tooMuch = await refuseTooMuch(trx, parts.strategy, wanted);
    if (tooMuch) return tooMuch;
    await create(
      trx,
      newDeployment(body, { id, userId, parts, awaitsCash: cash === null, at: clock.value.now }),
    );
    await sendJobs(trx, 'result-renewals', [rangeJob(id, parts.strategy.versionId)]);
    await claimCash(trx, { accountId, amount: investment });
    await postTransaction(trx, openingPosting(id, investment, clock.value.now));
    await recordAdvice(trx, { deploymentId: id }, 'deploy');
    await recordEligibility(trx, { userId, facts: facts.eligibility, today }, 'deployment');
    await afterwards?.(trx, id);
    await takeRoom(trx, parts.strategy, { deploymentId: id, amount: investment });
    return null;
  });
  return refused ?? showOwnDeployment({ id, userId }, dependencies);
}

/** A strategy that its owner wrote takes what they put in. */
async function takeRoom(
  trx: Transaction,
  { id: strategyId, ownerId }: StrategyRecord,
  asked: { readonly deploymentId: DeploymentId; readonly amount: Micro },
): Promise<void> {
  if (ownerId === null) await takePlace(trx, { ...asked, strategyId, flowId: null });
}

function newDeployment(
  body: CreateDeploymentRequest,
  { id, userId, parts, awaitsCash, at }: NewFacts,
): Parameters<typeof create>[1] {
  return {
    id,
    userId,
    strategyId: parts.strategy.id,
    versionId: parts.strategy.versionId,
    connectionId: parts.connection.id,
    mode: 'real',
    investment: toMicro(body.investment_amount),
    settings: body,
    disconnectPolicy: disconnectPolicyOf(body),
    tripwireChoice: body.tripwire_choice ?? DEFAULT_TRIPWIRE_CHOICE,
    awaitsCash,
    at,
  };
}

type NewFacts = {
  readonly id: DeploymentId;
  readonly userId: UserId;
  readonly parts: Parts;
  readonly awaitsCash: boolean;
  readonly at: Instant;
};

/** What was advised against, and who may not invest: kept as well as what was allowed. */
async function recordRefusal(
  wished: Parameters<typeof recordRefusedAdvice>[1],
  about: { facts: Pick<GateFacts, 'eligibility'>; gates: readonly ShutGate[]; today: IsoDate },
  { records }: Pick<Dependencies, 'records'>,
): Promise<void> {
  const { facts, gates, today } = about;
  const isShut = (...those: readonly ShutGate['gate'][]) => gates.some(({ gate }) => those.includes(gate));
  if (isShut('not_suitable', 'risk_profile_missing')) await recordRefusedAdvice(records.database, wished);
  if (isShut('not_eligible'))
    await recordEligibility(
      records.database,
      { userId: wished.userId, facts: facts.eligibility, today },
      'deployment',
    );
}

type Parts = { readonly strategy: StrategyRecord; readonly connection: ConnectionRecord };

/** An absent id and another user's id get the same answer. */
async function findParts(
  body: CreateDeploymentRequest,
  userId: UserId,
  { records }: Dependencies,
): Promise<Parts | Refused> {
  const strategy = await findDeployableStrategy(records.database, { id: body.strategy, userId });
  if (!strategy) return refuse('not_found', 'Strategy not found', { field: 'strategy' });
  const connection = await findOwnConnection(records.database, { id: body.broker_connection, userId });
  if (!connection) {
    return refuse('not_found', 'Broker connection not found', { field: 'broker_connection' });
  }
  return { strategy, connection };
}

async function factsOf(
  { strategy, connection }: Parts,
  userId: UserId,
  { records, marketData, config: { installation } }: Dependencies,
): Promise<Omit<GateFacts, 'investment' | 'availableCash'>> {
  const facts = await gateFacts(records.database, { installation, userId, strategy, connection });
  return { ...facts, ...offerOf(strategy, marketData.intraday) };
}
