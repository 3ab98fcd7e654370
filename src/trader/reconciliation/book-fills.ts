// Books executions, each once: fill, order, ledger, position, valuation and notice in one transaction, which many accounts share.
import type { OrderRecord } from '#engine/execution/orders/order-record.ts';
import type { DeploymentSnapshot } from '#engine/execution/deployment/deployment-snapshot.ts';
import type { BrokerExecution } from '#ports/broker.ts';
import { fillPlace } from '#ports/tracing.ts';
import { closeReceived, receiveExecutions } from '#records/execution/broker-inbox.ts';
import { FillRepeated, knownOf } from '#records/execution/fills.ts';
import { lockOrders } from '#records/execution/orders.ts';
import type { Transaction } from '#records/postgres/database.ts';
import type { BrokerAccountId, BrokerConnectionId, DeploymentId } from '#units/identifiers.ts';
import { noteStage, wallTimeOf } from '../chain.ts';
import { createGathering } from '../connections/gathering.ts';
import { loadSnapshots } from '../rebalance/load-snapshots.ts';
import type { TradingContext } from '../trading-context.ts';
import { type BookingFill, type BookingResult, decideFills, type KnownFills } from './decide-fills.ts';
import { saveFills } from './save-fills.ts';

export type ReportedFill = { readonly execution: BrokerExecution; readonly order: OrderRecord };

/** Executions of one connection in the order in which they are to be booked. */
type Piece = {
  readonly context: TradingContext;
  readonly connection: { readonly id: BrokerConnectionId; readonly accountId: BrokerAccountId };
  readonly fills: readonly BookingFill[];
  /** False where they are kept as received before they are booked, so that a failure loses none. */
  readonly isReceived: boolean;
};

type Results = ReadonlyMap<BookingFill, BookingResult>;
type Bookings = (piece: Piece) => Promise<Results>;

/** Two connections of one account go one after the other. */
export function createBookings(): Bookings {
  return createGathering<Piece, Results>({
    serve: bookTogether,
    together: ({ context }) => context.report,
    apart: ({ connection }) => connection.accountId,
    most: () => FILLS_MAX,
    weight: ({ fills }) => fills.length,
  });
}

/** What became of each, in their order. Nothing is written of what is held, repeated, or superseded by a later revision. */
export async function bookFills(
  context: TradingContext,
  { connection, together }: Pick<Piece, 'connection'> & { readonly together: { readonly book: Bookings } },
  { fills, isReceived }: { readonly fills: readonly ReportedFill[] } & Pick<Piece, 'isReceived'>,
): Promise<readonly (BookingResult | { readonly error: unknown })[]> {
  const all = fills.map((fill) => ({ ...fill, accountId: connection.accountId }));
  const results: (BookingResult | { readonly error: unknown })[] = [];
  const book = (some: readonly BookingFill[]) =>
    together.book({ context, connection, fills: some, isReceived });
  for (let from = 0; from < all.length; from += OF_CONNECTION_MAX) {
    const some = all.slice(from, from + OF_CONNECTION_MAX);
    const booked = some.length === 1 ? null : await book(some).catch(() => null);
    // Where some fail together, each is tried alone, so that none fails for another.
    for (const fill of some) results.push(booked?.get(fill) ?? (await bookAlone(book, fill)));
  }
  return results;
}

async function bookAlone(
  book: (fills: readonly BookingFill[]) => Promise<Results>,
  fill: BookingFill,
): Promise<BookingResult | { readonly error: unknown }> {
  try {
    return (await book([fill])).get(fill)!;
  } catch (error) {
    return error instanceof FillRepeated ? 'repeated' : { error };
  }
}

async function bookTogether(pieces: readonly Piece[]): Promise<ReadonlyMap<Piece, Results>> {
  const context = await pieces[0]!.context.atPresent();
  const fresh = pieces.filter(({ isReceived }) => !isReceived);
  await receiveExecutions(
    context.database,
    fresh.flatMap(({ fills, connection: { id, accountId } }) =>
      fills.map(({ execution }) => ({ connection: id, account: accountId, execution })),
    ),
  );
  const results = await context.database.transaction().execute((trx) => bookIn(trx, context, pieces));
  for (const [fill, result] of results) if (result === 'booked') noteBooked(context, fill);
  const done = pieces.filter(({ fills }) => fills.every((fill) => results.has(fill)));
  return new Map(
    done.map((piece) => [piece, new Map(piece.fills.map((fill) => [fill, results.get(fill)!]))]),
  );
}

function noteBooked(context: TradingContext, { accountId, execution, order }: BookingFill): void {
  const { executionId, at } = execution;
  noteStage(context, fillPlace(order, { accountId, executionId }), wallTimeOf(context, at));
}

async function bookIn(
  trx: Transaction,
  context: TradingContext,
  pieces: readonly Piece[],
): Promise<Map<BookingFill, BookingResult>> {
  let snapshots = await lockDeployments(trx, context, pieces);
  const isLocked = ({ fills }: Piece) => fills.every((fill) => snapshots.has(deploymentOf(fill)));
  const fills = pieces.filter(isLocked).flatMap((piece) => piece.fills);
  let orders = await lockOrders(trx, fills.map(orderOf));
  const known = await knownFills(trx, fills);
  const results = new Map<BookingFill, BookingResult>();
  let waiting: readonly BookingFill[] = fills;
  while (waiting.length > 0) {
    const decided = await decideFills(trx, context, waiting, { snapshots, orders, known });
    for (const [fill, result] of decided.results) results.set(fill, result);
    await saveFills(trx, context, decided.chains);
    waiting = decided.left;
    if (waiting.length === 0) break;
    const ids = [...new Set(waiting.map(deploymentOf))];
    snapshots = byDeployment(await loadSnapshots(trx, ids, context, { lock: 'for update' }));
    orders = await lockOrders(trx, waiting.map(orderOf));
  }
  await closeReceived(
    trx,
    [...results].flatMap(([{ accountId: account, execution }, result]) =>
      typeof result === 'string' ? { account, id: execution.executionId } : [],
    ),
  );
  return results;
}

/** Deployments first, then orders. Of several connections those with a deployment that somebody else has locked are left out. */
async function lockDeployments(
  trx: Transaction,
  context: TradingContext,
  pieces: readonly Piece[],
): Promise<ReadonlyMap<DeploymentId, DeploymentSnapshot>> {
  const ids = [...new Set(pieces.flatMap(({ fills }) => fills.map(deploymentOf)))];
  const lock = pieces.length === 1 ? 'for update' : 'free for update';
  const snapshots = byDeployment(await loadSnapshots(trx, ids, context, { lock }));
  const missing = ids.find((id) => !snapshots.has(id));
  if (pieces.length === 1 && missing !== undefined)
    throw new Error(`no deployment ${missing}, or one ahead of the clock`);
  return snapshots;
}

function byDeployment(snapshots: readonly DeploymentSnapshot[]): Map<DeploymentId, DeploymentSnapshot> {
  return new Map(snapshots.map((one) => [one.record.id, one]));
}

async function knownFills(trx: Transaction, fills: readonly BookingFill[]): Promise<KnownFills> {
  const asked = fills.map(({ accountId, execution: { executionId, revisionStem } }) => ({
    accountId,
    executionId,
    revisionStem,
  }));
  const known = await knownOf(trx, asked);
  return { before: new Map(fills.map((fill, place) => [fill, known[place]!])), since: [] };
}

function deploymentOf({ order }: BookingFill): DeploymentId {
  return order.decided.deploymentId;
}

function orderOf({ order }: BookingFill) {
  return order.id;
}

/** Of all connections in one transaction, whose locks last as long as all of them take. */
const FILLS_MAX = 32;
/** Of one connection at a time, so that others find room beside it. */
const OF_CONNECTION_MAX = 16;
