// What executions make of their deployments, decided in their order: of one deployment as many as follow from each other without reading
// the records again in between.
import { type DeploymentSnapshot, snapshotAfter } from '#engine/execution/deployment/deployment-snapshot.ts';
import { isProtective } from '#engine/execution/orders/open-order.ts';
import type { OrderRecord } from '#engine/execution/orders/order-record.ts';
import type { ExecutionHold } from '#engine/execution/reconciliation/execution-hold.ts';
import { fillDoubt, judgeRevision } from '#engine/execution/reconciliation/attribute-fills.ts';
import { type BookedFill, bookFill } from '#engine/execution/reconciliation/book-fill.ts';
import type { BrokerExecution } from '#ports/broker.ts';
import type { KnownExecution } from '#records/execution/fills.ts';
import type { Transaction } from '#records/postgres/database.ts';
import type { BrokerAccountId, DeploymentId, OrderId } from '#units/identifiers.ts';
import { mayMissPayments, splitRatioSince } from '../end-of-day/missed-actions.ts';
import type { TradingContext } from '../trading-context.ts';
import { expectsCoinFee } from './book-coin-fees.ts';

export type BookingResult = 'booked' | 'repeated' | 'superseded' | { readonly hold: ExecutionHold };

export type BookingFill = {
  readonly accountId: BrokerAccountId;
  readonly execution: BrokerExecution;
  /** As it was before its lock was taken. */
  readonly order: OrderRecord;
};

export type KnownFills = {
  /** What the books knew when the locks were taken. */
  readonly before: ReadonlyMap<BookingFill, KnownExecution>;
  /** Decided in this transaction. */
  readonly since: BookingFill[];
};

export type DecidedFill = BookedFill & {
  readonly reported: BookingFill;
  /** Under its lock, before this fill. */
  readonly order: OrderRecord;
  readonly snapshot: DeploymentSnapshot;
  /** More is to be booked or withdrawn behind it. */
  readonly hasSequel: boolean;
};

/** Of one deployment, each on the state that the one before it left. Only the last one has a sequel. */
export type FillChain = readonly [DecidedFill, ...DecidedFill[]];

type Locked = {
  readonly snapshots: ReadonlyMap<DeploymentId, DeploymentSnapshot>;
  readonly orders: ReadonlyMap<OrderId, OrderRecord>;
  readonly known: KnownFills;
};

export type DecidedFills = {
  readonly results: ReadonlyMap<BookingFill, BookingResult>;
  readonly chains: readonly FillChain[];
  /** To be decided once the chains are saved. */
  readonly left: readonly BookingFill[];
};

export async function decideFills(
  trx: Transaction,
  context: TradingContext,
  fills: readonly BookingFill[],
  locked: Locked,
): Promise<DecidedFills> {
  const results = new Map<BookingFill, BookingResult>();
  const chains: FillChain[] = [];
  const left: BookingFill[] = [];
  for (const [id, own] of Map.groupBy(fills, ({ order }) => order.decided.deploymentId)) {
    const snapshot = locked.snapshots.get(id);
    if (snapshot === undefined) throw new Error(`no deployment ${id}, or one ahead of the clock`);
    const chain = await chainOf(trx, context, own, { ...locked, snapshot });
    for (const [fill, result] of chain.results) results.set(fill, result);
    const [first, ...others] = chain.decided;
    if (first !== undefined) chains.push([first, ...others]);
    left.push(...chain.left);
  }
  return { results, chains, left };
}

async function chainOf(
  trx: Transaction,
  context: TradingContext,
  fills: readonly BookingFill[],
  locked: Omit<Locked, 'snapshots'> & { snapshot: DeploymentSnapshot },
) {
  const results = new Map<BookingFill, BookingResult>();
  const decided: DecidedFill[] = [];
  const orders = new Map(locked.orders);
  let { snapshot } = locked;
  for (const [place, reported] of fills.entries()) {
    const order = orders.get(reported.order.id);
    if (order === undefined) throw new Error(`no order ${reported.order.id}`);
    const refusal = refusalOf(context, { reported, order, known: locked.known });
    if (refusal !== null) {
      results.set(reported, refusal);
      continue;
    }
    const one = await decide(trx, context, { reported, order, snapshot });
    decided.push(one);
    locked.known.since.push(reported);
    results.set(reported, 'booked');
    if (endsChain(one)) return { results, decided, left: fills.slice(place + 1) };
    snapshot = snapshotAfter(snapshot, one.transition, context);
    for (const { id, update } of one.transition.orderUpdates) {
      const changed = orders.get(id);
      if (changed !== undefined) orders.set(id, { ...changed, ...update });
    }
  }
  return { results, decided, left: [] };
}

/** Why it is not booked; null when it is. */
function refusalOf(
  { instruments }: TradingContext,
  {
    reported,
    order,
    known,
  }: { readonly reported: BookingFill; readonly order: OrderRecord; readonly known: KnownFills },
): BookingResult | null {
  const { execution } = reported;
  const { isKnown, revisions } = knownOf(reported, known);
  // Before all doubts: what has filled the order must not look like more than was ordered.
  if (isKnown) return 'repeated';
  const revision = judgeRevision(execution, revisions);
  if (revision.type !== 'book') return revision.type === 'drop' ? 'superseded' : revision;
  const { symbol } = order.decided;
  if (!instruments.has(symbol)) return { hold: { code: 'instrument_unknown', symbol } };
  const doubt = fillDoubt(execution, order);
  return doubt === null ? null : { hold: doubt };
}

function knownOf(reported: BookingFill, { before, since }: KnownFills): KnownExecution {
  const { accountId, execution } = reported;
  const { executionId, revisionStem } = execution;
  const of = before.get(reported)!;
  const ids = since.flatMap((one) => (one.accountId === accountId ? one.execution.executionId : []));
  return {
    isKnown: of.isKnown || ids.includes(executionId),
    revisions: [...of.revisions, ...ids.filter((id) => revisionStem != null && id.startsWith(revisionStem))],
  };
}

async function decide(
  trx: Transaction,
  context: TradingContext,
  { reported, order, snapshot }: Pick<DecidedFill, 'reported' | 'order' | 'snapshot'>,
): Promise<DecidedFill> {
  const { accountId, execution } = reported;
  const instrument = context.instruments.get(order.decided.symbol)!;
  const when = { record: snapshot.record, instrument, at: execution.at };
  const splitRatio = await splitRatioSince(trx, when, context);
  const facts = { execution, accountId, order, instrument, splitRatio };
  const hasSequel =
    isProtective(order) || expectsCoinFee(execution) || mayMissPayments(instrument, execution.at, context);
  return { ...bookFill(snapshot, facts, context), reported, order, snapshot, hasSequel };
}

/** What changes more than the deployment's money, the position and the order itself is saved, and then read again. */
function endsChain({ snapshot, order, hasSequel, transition }: DecidedFill): boolean {
  const { before, after, withdrawal, orders, receipts, notices } = transition;
  return (
    hasSequel ||
    withdrawal !== null ||
    orders.length > 0 ||
    receipts.length > 0 ||
    notices.length > 1 ||
    before.status !== after.status ||
    before.requestedStatus !== after.requestedStatus ||
    !snapshot.openOrders.some(({ id }) => id === order.id)
  );
}
