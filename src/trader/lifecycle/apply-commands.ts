// What people asked for becomes a fact: started, paused, resumed, stopped. A wish is granted or refused with its
// reason; until then the screen shows both.
import type { EndReason } from '#engine/execution/order-reason.ts';
import type { Transaction } from '#records/postgres/database.ts';
import { listCommandedDeployments } from '#records/deployments/deployment-queues.ts';
import { type OrderRecord, withdrawOrders } from '#records/execution/orders.ts';
import { readTradingGates } from '#records/deployments/trading-gates.ts';
import type { TradingDeployment } from '#records/deployments/trading-deployments.ts';
import { AGREEMENT_VERSION } from '#rules/provider.ts';
import { canMove } from '#engine/lifecycle/status.ts';
import { type StateTransition, noTransition, saveTransitions } from '../rebalance/state-transition.ts';
import { runInBatches } from '../rebalance/run-in-batches.ts';
import { lifeCycleNotice, nameOrders } from '../rebalance/notices.ts';
import { applyEvent } from '../rebalance/apply-event.ts';
import { loadSnapshots, type DeploymentSnapshot } from '../rebalance/deployment-snapshot.ts';
import type { TradingContext } from '../trading-context.ts';
import { tradingDate } from '../rebalance/trading-date.ts';

export async function applyCommands(context: TradingContext): Promise<void> {
  await runInBatches(context, {
    where: 'life cycle',
    ids: await listCommandedDeployments(context.database, context.lease.shards),
    size: 1,
    work: async (trx, ids) => {
      for (const snapshot of await loadSnapshots(trx, ids, context, { lock: 'for update' })) {
        const change = await grant(trx, snapshot, context);
        if (change.before === change.after && change.orders.length === 0) continue;
        await saveTransitions(trx, [change]);
        context.report.commandsApplied += 1;
        context.report.ordersWritten += change.orders.length;
      }
    },
  });
}

async function grant(
  trx: Transaction,
  snapshot: DeploymentSnapshot,
  context: TradingContext,
): Promise<StateTransition> {
  const { status, requestedStatus } = snapshot.record;
  if (requestedStatus === 'stopped' || requestedStatus === 'liquidated') {
    if (status !== 'stopping' && status !== 'liquidating')
      return leave(trx, snapshot, requestedStatus, context);
  }
  if (status === 'stopping' || status === 'liquidating') return closeOut(trx, snapshot, context);
  if (status === 'pending' || requestedStatus === 'active') return start(trx, snapshot, context);
  if (requestedStatus === 'paused') return pause(trx, snapshot, context);
  return noTransition(snapshot.record, context.now);
}

async function start(
  trx: Transaction,
  { record }: DeploymentSnapshot,
  context: TradingContext,
): Promise<StateTransition> {
  const change = noTransition(record, context.now);
  if (record.status === 'active') return { ...change, after: { ...record, requestedStatus: null } };
  if (record.requestedStatus === 'paused' || !canMove({ from: record.status, to: 'active', by: 'client' })) {
    return { ...change, after: { ...record, requestedStatus: null } };
  }
  const gates = await readTradingGates(trx, record.id, AGREEMENT_VERSION);
  const shut = shutSentence(gates);
  if (shut !== null) {
    // A start waits for its gates; a resume was a click, and its answer is no.
    const requestedStatus = record.status === 'pending' ? record.requestedStatus : null;
    const unchanged = record.statusReason === shut && record.requestedStatus === requestedStatus;
    return unchanged ? change : { ...change, after: { ...record, requestedStatus, statusReason: shut } };
  }
  const after: TradingDeployment = {
    ...record,
    status: 'active',
    statusReason: null,
    requestedStatus: null,
    appliedTargetId: null,
    markedAt: context.now,
  };
  const kind = record.status === 'pending' ? 'trading_started' : 'resumed';
  const version = context.versions.get(record.versionId);
  return {
    ...change,
    after,
    notifications: [lifeCycleNotice(record, kind, context)],
    equityMarks:
      version === undefined
        ? []
        : [
            {
              deploymentId: record.id,
              date: tradingDate(version.calendar, context.now),
              at: context.now,
              cash: record.cash,
              positions: (record.equity - record.cash) as typeof record.cash,
              equity: record.equity,
              benchmark: context.marks.get(version.definition.benchmark) ?? null,
            },
          ],
  };
}

async function pause(
  trx: Transaction,
  snapshot: DeploymentSnapshot,
  context: TradingContext,
): Promise<StateTransition> {
  const { record } = snapshot;
  const change = noTransition(record, context.now);
  if (!canMove({ from: record.status, to: 'paused', by: 'client' })) {
    return { ...change, after: { ...record, requestedStatus: null } };
  }
  const left = await takeBack(trx, snapshot, { code: 'paused' }, context);
  const after: TradingDeployment = {
    ...record,
    status: 'paused',
    requestedStatus: null,
    statusReason: [PAUSED_TEXT, protection(snapshot), stillAtBroker(left) ?? ''].filter(Boolean).join(' '),
  };
  return {
    ...change,
    after,
    notifications: [lifeCycleNotice(record, 'paused', context, stillAtBroker(left) ?? '')],
  };
}

const PAUSED_TEXT = 'No order is sent while it is paused, stop losses included.';

const CLOSING_TEXT = 'What it holds is closed as soon as its market trades; then it ends.';

/** The first half of a stop: nothing new any more, then the positions are closed. */
async function leave(
  trx: Transaction,
  snapshot: DeploymentSnapshot,
  wished: 'stopped' | 'liquidated',
  context: TradingContext,
): Promise<StateTransition> {
  const { record } = snapshot;
  const change = noTransition(record, context.now);
  if (record.status === 'pending' && snapshot.openOrders.length === 0 && record.holdings.size === 0) {
    const ended: TradingDeployment = {
      ...record,
      status: 'stopped',
      requestedStatus: null,
      statusReason: null,
      endedAt: context.now,
    };
    return { ...change, after: ended, notifications: [lifeCycleNotice(record, 'stopped', context)] };
  }
  const status = wished === 'stopped' ? 'stopping' : 'liquidating';
  const by = wished === 'stopped' ? 'client' : 'support';
  if (!canMove({ from: record.status, to: status, by }))
    return { ...change, after: { ...record, requestedStatus: null } };
  const left = await takeBack(trx, snapshot, { code: 'deployment_stopped' }, context);
  const after: TradingDeployment = {
    ...record,
    status,
    requestedStatus: null,
    statusReason: [CLOSING_TEXT, stillAtBroker(left) ?? ''].filter(Boolean).join(' '),
    appliedTargetId: null,
  };
  return {
    ...change,
    after,
    notifications: [lifeCycleNotice(record, 'stopping', context, stillAtBroker(left) ?? '')],
  };
}

/** The second half: closes what is left, and ends once nothing is held and nothing is under way. */
async function closeOut(
  trx: Transaction,
  snapshot: DeploymentSnapshot,
  context: TradingContext,
): Promise<StateTransition> {
  const { record, openOrders } = snapshot;
  if (record.holdings.size === 0 && openOrders.length === 0) {
    const status = record.status === 'stopping' ? 'stopped' : 'liquidated';
    const after: TradingDeployment = {
      ...record,
      status,
      statusReason: null,
      requestedStatus: null,
      endedAt: context.now,
    };
    return {
      ...noTransition(record, context.now),
      after,
      notifications: [lifeCycleNotice(record, status, context)],
    };
  }
  const intents = openOrders.filter(
    ({ status, decided }) => status === 'intended' && decided.purpose === 'rebalance',
  );
  if (intents.length > 0) {
    const ending = { reason: { code: 'deployment_stopped' }, at: context.now } as const;
    await withdrawOrders(
      trx,
      intents.map(({ id }) => id),
      ending,
    );
    return noTransition(record, context.now);
  }
  const busy = new Set(snapshot.state.working.map(({ symbol }) => symbol));
  if ([...record.holdings.keys()].every((symbol) => busy.has(symbol)))
    return noTransition(record, context.now);
  return applyEvent(
    snapshot,
    { type: 'liquidate', at: context.now, id: record.status, marks: context.marks },
    context,
  );
}

/** Withdraws what was not sent; answers what is at the broker or of unknown fate. */
async function takeBack(
  trx: Transaction,
  { openOrders }: DeploymentSnapshot,
  reason: EndReason,
  context: TradingContext,
): Promise<OrderRecord[]> {
  const intents = openOrders.filter(({ status }) => status === 'intended');
  await withdrawOrders(
    trx,
    intents.map(({ id }) => id),
    { reason, at: context.now },
  );
  // What protects a position stays where it rests, until an exit takes its place.
  return openOrders.filter(
    ({ status, decided }) => status !== 'intended' && decided.purpose !== 'protective',
  );
}

function protection({ openOrders }: DeploymentSnapshot): string {
  const rests = openOrders.some(
    ({ status, decided }) => status === 'working' && decided.purpose === 'protective',
  );
  return rests ? 'What rests at your broker to protect a position stays there.' : '';
}

function stillAtBroker(orders: readonly OrderRecord[]): string | null {
  if (orders.length === 0) return null;
  return `Still at your broker, its cancellation requested: ${nameOrders(orders)}.`;
}

function shutSentence(gates: {
  connectionActive: boolean;
  agreementSigned: boolean;
  suitable: boolean;
}): string | null {
  if (!gates.connectionActive)
    return 'The broker connection is not active. Please connect your broker account again.';
  if (!gates.agreementSigned) return 'The investment agreement is not signed. Please sign it first.';
  if (!gates.suitable) return 'The strategy is riskier than your risk profile allows.';
  return null;
}
