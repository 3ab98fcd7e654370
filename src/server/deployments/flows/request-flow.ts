import { randomUUID } from 'node:crypto';
import type { deploymentsEndpoints } from '#contract/deployments.ts';
import { availableCash } from '#engine/execution/connection/account-cash.ts';
import type { FlowKind } from '#engine/execution/flows/flow.ts';
import { lockPerson } from '#records/billing/subscriptions.ts';
import { findFreshCash, lockAccountCash } from '#records/brokerage/account-cash.ts';
import { type ConnectionRecord, findOwnConnection } from '#records/brokerage/broker-connections.ts';
import { findFlow, requestFlow as request } from '#records/deployments/deployment-flows.ts';
import { lockOwnDeployment } from '#records/deployments/deployments.ts';
import { findFlowSituation, type OwnFlowSituation } from '#records/deployments/flow-situation.ts';
import { getUser } from '#records/identity/users.ts';
import { actAs } from '#records/operations/audit-log.ts';
import type { Transaction } from '#records/postgres/database.ts';
import { takePlace } from '#records/strategies/capacity-queue.ts';
import { findMeasuredStrategy, type StrategyRecord } from '#records/strategies/strategies.ts';
import { recordAdvice } from '#records/suitability/advice-records.ts';
import { findRiskProfile } from '#records/suitability/risk-profiles.ts';
import { checkFlowAmount, flowRefusal } from '#rules/deployments/flow-amount.ts';
import { offerOf, shutGates, shutPracticeGates } from '#rules/deployments/gates.ts';
import type { UserId } from '#units/identifiers.ts';
import { utcDate } from '#units/instant.ts';
import { add, type Micro, toMicro } from '#units/money.ts';
import { recordEligibility } from '../../answers/record-eligibility.ts';
import type { Call } from '../../http/call.ts';
import { refuseUnchecked } from '../../http/check-identity.ts';
import type { Dependencies } from '../../http/dependencies.ts';
import { notFound, refuse, type Refused } from '../../http/refusal.ts';
import { refuseTooMuch } from '../capacity/refuse-too-much.ts';
import { awaitFreshCash } from '../gates/await-fresh-cash.ts';
import { gateFacts } from '../gates/gate-facts.ts';
import { refuseGates } from '../gates/refuse-gates.ts';
import { refusePlan } from '../gates/refuse-plan.ts';
import { showFlow } from './show-flow.ts';

/** Writes what is asked for, once every check passes. The trader carries it out, and checks again. */
export const requestFlow: Call<typeof deploymentsEndpoints.requestFlow> = async (
  { params, body: { kind, amount }, caller: { userId }, repetitionId },
  dependencies,
) => {
  const { records, marketData } = dependencies;
  const own = { id: params.id, userId };
  const id = repetitionId ?? randomUUID();
  const requested = toMicro(amount);
  const found = await findFlowSituation(records.database, own);
  if (found === undefined) return notFound();
  const made = await findFlow(records.database, { id, deploymentId: found.id });
  if (made !== undefined) return showFlow(made);
  const strategy = await findMeasuredStrategy(records.database, found.strategyId);
  if (strategy === undefined) return notFound();
  const isReal = kind === 'deposit' && found.mode === 'real';
  const connection = isReal ? await findConnection(found, userId, dependencies) : null;
  // A service and the broker may be asked: before anything is locked.
  const unchecked = isReal
    ? await refuseUnchecked(await getUser(records.database, userId), dependencies)
    : null;
  if (unchecked !== null) return unchecked;
  if (connection !== null) await awaitFreshCash(connection, dependencies);
  const clock = await marketData.clock();
  if (!clock.ok)
    return refuse('unavailable', 'The market clock is not responding. Please try again shortly.');
  const refused = await records.database.transaction().execute(async (trx): Promise<Refused | null> => {
    await actAs(trx, `client:${userId}`);
    if ((await lockOwnDeployment(trx, own)) === undefined) return notFound();
    const situation = (await findFlowSituation(trx, own))!;
    const refusal = refuseFlow(kind, requested, situation);
    if (refusal !== null) return refusal;
    const asked = { userId, requested, situation, strategy, connection };
    const shut = kind === 'deposit' ? await refuseDeposit(trx, asked, dependencies) : null;
    if (shut !== null) return shut;
    const isNew = await request(trx, {
      id,
      deploymentId: situation.id,
      kind,
      requested,
      at: clock.value.now,
    });
    if (!isNew) return refuse('illegal_move', flowRefusal(kind, { ...situation, isPending: true })!);
    if (isReal) await recordAdvice(trx, { deploymentId: situation.id }, 'deposit');
    if (isReal && strategy.ownerId === null)
      await takePlace(trx, {
        strategyId: strategy.id,
        deploymentId: situation.id,
        flowId: id,
        amount: requested,
      });
    return null;
  });
  if (refused !== null) return refused;
  return showFlow((await findFlow(records.database, { id, deploymentId: found.id }))!);
};

function refuseFlow(kind: FlowKind, requested: Micro, situation: OwnFlowSituation): Refused | null {
  const never = flowRefusal(kind, situation);
  if (never !== null) return refuse('illegal_move', never);
  const problem = checkFlowAmount(kind, requested, situation);
  if (problem === null) return null;
  const code = problem.code === 'below_minimum' ? 'below_minimum' : 'out_of_range';
  return refuse(code, problem.message, { field: problem.field });
}

/** A broker's: practice has none, and needs none. */
async function findConnection(
  { connectionId }: OwnFlowSituation,
  userId: UserId,
  { records }: Dependencies,
): Promise<ConnectionRecord> {
  const connection = await findOwnConnection(records.database, { id: connectionId, userId });
  if (connection === undefined) throw new Error(`the connection ${connectionId} of a deployment is gone`);
  return connection;
}

type Asked = {
  readonly strategy: StrategyRecord;
  /** Null in practice. */
  readonly connection: ConnectionRecord | null;
  readonly userId: UserId;
  readonly requested: Micro;
  readonly situation: OwnFlowSituation;
};

/** Every check of a new deployment. Cash that the broker has not reported is checked by the trader. */
async function refuseDeposit(
  trx: Transaction,
  asked: Asked,
  dependencies: Dependencies,
): Promise<Refused | null> {
  const { userId, requested, situation, strategy, connection } = asked;
  const offer = offerOf(strategy, dependencies.marketData.intraday);
  if (connection === null) {
    const profile = await findRiskProfile(trx, userId);
    const clientScore = profile?.riskScore ?? null;
    return refuseGates(shutPracticeGates({ strategyScore: strategy.riskScore, clientScore, ...offer }));
  }
  // Before the cash of the account, as for a new deployment: in the other order two requests could wait for each other.
  await lockPerson(trx, userId);
  const { installation } = dependencies.config;
  const today = utcDate(dependencies.now());
  const facts = await gateFacts(trx, { installation, userId, strategy, connection });
  await recordEligibility(trx, { userId, facts: facts.eligibility, today }, 'deployment');
  const plan = {
    userId,
    investment: add(situation.investment, requested),
    resumed: situation.id,
    adds: true,
  };
  const cash = await knownCash(trx, connection);
  const gates = shutGates(
    { ...facts, ...offer, investment: requested, availableCash: cash ?? requested },
    today,
  );
  const closed = refuseGates(
    gates.map((gate) => ({ ...gate, field: gate.field === 'investment_amount' ? 'amount' : gate.field })),
  );
  if (closed !== null) return closed;
  const tooMuch = await refuseTooMuch(trx, strategy, { amount: requested, field: 'amount' });
  return tooMuch ?? refusePlan(trx, plan, dependencies);
}

async function knownCash(trx: Transaction, { accountId }: ConnectionRecord): Promise<Micro | null> {
  if (accountId === null) return null;
  await lockAccountCash(trx, accountId);
  const cash = await findFreshCash(trx, accountId);
  return cash && availableCash(cash);
}
