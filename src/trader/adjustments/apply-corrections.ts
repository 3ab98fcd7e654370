// Corrections of the books that two people agreed on become facts, each once: in one transaction with what they answer,
// under the locks of a fill. One whose occasion is another by now is void; one that cannot be judged yet waits.
import { previousSession } from '#engine/market/calendar.ts';
import { type Correction, netUnits, shortfallOf } from '#engine/market/correction.ts';
import type { Instrument } from '#engine/market/instrument.ts';
import { applyCorrection } from '#engine/portfolio/apply-correction.ts';
import { type BookDifference, findOpenDifference } from '#records/adjustments/book-differences.ts';
import {
  type AppliedProposal,
  type BookedExecution,
  CHANGED,
  listApproved,
  listBookedExecutions,
  lockApproved,
  markApplied,
  type Proposal,
  voidProposal,
} from '#records/adjustments/book-corrections.ts';
import { findReceived } from '#records/execution/broker-inbox.ts';
import type { Transaction } from '#records/postgres/database.ts';
import { listProcessedSessions } from '#records/portfolio/position-events.ts';
import { changeOrder, lockOrder } from '#records/execution/orders.ts';
import { shardOf } from '#records/operations/trading-shards.ts';
import { correctionText } from '#rules/operations/correction-text.ts';
import type { DeploymentStatus } from '#engine/lifecycle/status.ts';
import type { DeploymentId, Symbol } from '#units/identifiers.ts';
import { instant } from '#units/instant.ts';
import { type Quantity, quantity, quantityText, ZERO_QUANTITY } from '#units/quantity.ts';
import { roundHalfEven } from '#units/round.ts';
import {
  type AccountBook,
  findAccountBook,
  isLastSessionProcessed,
} from '../reconciliation/account-books.ts';
import { bookPositionEvent } from '../end-of-day/book-position-event.ts';
import { saveTransitions } from '../rebalance/state-transition.ts';
import type { ActiveConnection } from '../connections/connection.ts';
import { endLockedOrder } from '../reconciliation/end-order.ts';
import {
  suspendExternalTrade,
  suspendShortfall,
  releaseFromSuspense,
} from '../reconciliation/suspense-account.ts';
import { applyEvent } from '../rebalance/apply-event.ts';
import { readPositions } from '../reconciliation/reconcile-positions.ts';
import { splitRatioSince } from '../end-of-day/missed-actions.ts';
import { loadSnapshots, type DeploymentSnapshot } from '../rebalance/deployment-snapshot.ts';
import { noteProblem, type TradingContext } from '../trading-context.ts';
import { tradingDate } from '../rebalance/trading-date.ts';

/** Throws when the broker does not tell its positions: a difference is judged by those of now. */
export async function applyCorrections(context: TradingContext, active: ActiveConnection): Promise<void> {
  const approved = await listApproved(context.database, active.connection.id);
  if (approved.length === 0) return;
  if (approved.some(({ answers }) => answers.difference !== null)) await readPositions(context, active);
  const before = context.report.correctionsBooked;
  for (const proposal of approved) {
    try {
      const result = await context.database
        .transaction()
        .execute((trx) => carryOut(trx, context, active, proposal));
      if (result === 'booked') context.report.correctionsBooked += 1;
    } catch (error) {
      noteProblem(context, `correction ${proposal.id}`, error);
    }
  }
  if (context.report.correctionsBooked > before) await readPositions(context, active);
}

type Outcome = 'booked' | 'void' | 'waits' | 'over';

async function carryOut(
  trx: Transaction,
  context: TradingContext,
  active: ActiveConnection,
  proposal: Proposal,
): Promise<Outcome> {
  const { id, deploymentId } = proposal;
  const snapshot = deploymentId === null ? null : await loadOne(trx, context, deploymentId);
  if (snapshot === null) await context.lease.fence(trx, [active.connection.id]);
  const locked = await lockApproved(trx, proposal);
  if (locked === 'over') return 'over';
  const end = async (outcome: string): Promise<Outcome> => {
    await voidProposal(trx, id, outcome);
    return 'void';
  };
  if (locked === 'changed') return end(CHANGED);
  const { difference } = proposal.answers;
  if (difference !== null) {
    const judged = await judge(trx, context, active, { proposal, difference });
    if (judged === 'waits') return judged;
    if (judged === 'changed') return end(CHANGED);
  }
  if (snapshot === null) {
    await suspendExternalTrade(trx, context, proposal);
    await markApplied(trx, proposal, { at: context.now });
    return 'booked';
  }
  const ready = await prepare(trx, context, snapshot, proposal);
  if (ready === 'waits') return ready;
  if (typeof ready === 'string') return end(ready);
  await book(trx, context, snapshot, proposal, ready);
  return 'booked';
}

async function loadOne(
  trx: Transaction,
  context: TradingContext,
  id: DeploymentId,
): Promise<DeploymentSnapshot> {
  const [snapshot] = await loadSnapshots(trx, [id], context, { lock: 'for update' });
  if (snapshot === undefined) throw new Error(`no deployment ${id}`);
  return snapshot;
}

/**
 * Whether it is at this moment as it was written down: by how much books and broker differ, for what else is traded moves
 * both; or what others have traded in all, with nothing beside it that no trade explains.
 */
async function judge(
  trx: Transaction,
  context: TradingContext,
  { connection: { accountId }, health }: ActiveConnection,
  { proposal, difference }: { readonly proposal: Proposal; readonly difference: string },
): Promise<'stands' | 'waits' | 'changed'> {
  const symbol = proposal.symbol as Symbol;
  const books = await findAccountBook(trx, accountId, symbol);
  const written = await findOpenDifference(trx, difference);
  if (health.held === null || books === undefined || !isLastSessionProcessed(books, context.now))
    return 'waits';
  const gap = (health.held.get(symbol) ?? 0) - books.ours - books.external;
  if (written?.kind === 'unexplained') return gap === written.units ? 'stands' : 'waits';
  if (written?.kind !== 'by_hand' || gap !== 0 || isTradedSince(written, books)) return 'waits';
  // What deployments closed since is nobody's to give up any more.
  return Math.abs(proposal.units) <= Math.abs(books.byHand?.units ?? 0) ? 'stands' : 'changed';
}

/** Bought back and sold again it is another sale, though as many are gone. */
function isTradedSince({ external, tradedAt }: BookDifference, books: AccountBook): boolean {
  return external !== books.external || (tradedAt?.getTime() ?? null) !== (books.byHand?.at ?? null);
}

type Ready = {
  readonly correction: Correction;
  readonly instrument: Instrument;
  /** The execution that is undone, and how many units one of it has become. */
  readonly undone: { readonly booked: BookedExecution; readonly ratio: number } | null;
};

/** 'waits', or why it can never be booked as the end of a sentence. */
async function prepare(
  trx: Transaction,
  context: TradingContext,
  { record, state, openOrders }: DeploymentSnapshot,
  proposal: Proposal,
): Promise<Ready | string> {
  const symbol = proposal.symbol as Symbol;
  const instrument = context.instruments.get(symbol);
  if (instrument === undefined) return `${symbol} is not in the catalogue`;
  if (ENDED.includes(record.status)) return 'its deployment has ended';
  const undone = await undoneOf(trx, context, { record, instrument }, proposal);
  if (undone === 'unknown') return `${proposal.undoes} is not booked for its deployment`;
  // What such an order fills is still to be told, and it was sized for the position as it is booked. The one whose own
  // execution is undone has that to fill again.
  const isUnderWay = openOrders.some(
    ({ id, decided, status }) =>
      id !== undone?.booked.orderId &&
      decided.symbol === symbol &&
      decided.purpose !== 'protective' &&
      status !== 'intended',
  );
  const version = context.versions.get(record.versionId);
  if (
    isUnderWay ||
    version === undefined ||
    !(await isEndOfDayProcessed(trx, context, record.connectionId, instrument))
  )
    return 'waits';
  const books = await booksOf(trx, context, { record, instrument }, proposal);
  const undoes = undone && inUnitsOfNow(undone);
  const correction: Correction = { type: 'correction', symbol, undoes, books };
  const held = state.portfolio.positions.get(symbol)?.quantity ?? ZERO_QUANTITY;
  if (isByHand(proposal) && !closesOnly(held, proposal.units))
    return `its deployment holds no ${quantityText(quantity(Math.abs(proposal.units)))} ${symbol} to give up`;
  const mayBeShort = version.allowsShort || version.definition.options !== undefined;
  const shortfall = mayBeShort ? 0 : shortfallOf(held, correction);
  if (shortfall === 0) return { correction, instrument, undone };
  // An execution is the broker's to change, whatever was traded since; units that people name can be named anew.
  if (undone === null) return 'it would leave a deployment short that only buys';
  return { correction: { ...correction, shortfall }, instrument, undone };
}

function isByHand({ answers }: Proposal): boolean {
  return answers.difference !== null && answers.kind === 'by_hand';
}

function closesOnly(held: Quantity, units: Quantity): boolean {
  return Math.sign(units) === -Math.sign(held) && Math.abs(units) <= Math.abs(held);
}

/** Units are those of after the last end of day, as everything else that is booked by day. */
async function isEndOfDayProcessed(
  trx: Transaction,
  context: TradingContext,
  connection: ActiveConnection['connection']['id'],
  { calendar }: Instrument,
): Promise<boolean> {
  const passed = (await listProcessedSessions(trx, [shardOf(connection)])).get(calendar);
  return passed !== undefined && passed >= previousSession(calendar, context.now).date;
}

async function undoneOf(
  trx: Transaction,
  context: TradingContext,
  { record, instrument }: { record: DeploymentSnapshot['record']; instrument: Instrument },
  { accountId, undoes }: Proposal,
): Promise<Ready['undone'] | 'unknown'> {
  if (undoes === null) return null;
  const { symbol } = instrument;
  const [booked] = await listBookedExecutions(trx, { account: accountId, symbol, ids: [undoes] });
  if (booked?.deploymentId !== record.id) return 'unknown';
  const at = instant(booked.at.getTime());
  return { booked, ratio: await splitRatioSince(trx, { record, instrument, at }, context) };
}

/** In units of now. An execution is answered in the units that it was told in; a difference is one of now. */
async function booksOf(
  trx: Transaction,
  context: TradingContext,
  { record, instrument }: { record: DeploymentSnapshot['record']; instrument: Instrument },
  { accountId, answers, units, price, commission }: Proposal,
): Promise<Correction['books']> {
  if (units === 0) return null;
  const told = answers.execution === null ? null : await findReceived(trx, accountId, answers.execution);
  if (told === null) return { units, price: price!, commission };
  const ratio = await splitRatioSince(trx, { record, instrument, at: instant(told.at) }, context);
  return { units: timesRatio(units, ratio), price: price! / ratio, commission };
}

/** As its deployment holds it now: splits since then have made more or fewer units of it. */
function inUnitsOfNow({ booked, ratio }: NonNullable<Ready['undone']>): NonNullable<Correction['undoes']> {
  const { units, price, commission, profit } = booked;
  return { units: timesRatio(units, ratio), price: price / ratio, commission, profit };
}

function timesRatio(units: Quantity, ratio: number): Quantity {
  return ratio === 1 ? units : quantity(roundHalfEven(units * ratio));
}

async function book(
  trx: Transaction,
  context: TradingContext,
  snapshot: DeploymentSnapshot,
  proposal: Proposal,
  { correction, instrument, undone }: Ready,
): Promise<void> {
  const { id, because } = proposal;
  const { record, state } = snapshot;
  const at = context.now;
  const terms = { instrument, marks: state.marks, at };
  const {
    booking,
    realizedPnl: realized,
    bookedProfit,
  } = applyCorrection(state.portfolio, correction, terms);
  const { symbol, undoes, books, shortfall } = correction;
  const { currency } = instrument;
  const { cash, commission } = booking;
  const facts = { symbol, currency, undoes, books, shortfall, cash, because };
  const told = correctionText({ ...facts, isByHand: isByHand(proposal) });
  const net = netUnits(correction);
  const sessionDate = tradingDate(instrument.calendar, at);
  const happened = {
    deploymentId: record.id,
    event: correction,
    entitled: net,
    sessionDate,
    execution: id,
    told,
  };
  const applied = await bookPositionEvent(trx, context, happened);
  if (applied === null) throw new Error('it was booked before');
  await suspendShortfall(trx, context, proposal, correction);
  if (isByHand(proposal)) await releaseFromSuspense(trx, context, proposal);
  const order = undone === null ? null : await correctOrder(trx, context, undone, correction);
  await withdrawIntents(trx, context, snapshot, symbol);
  await markApplied(trx, proposal, {
    at,
    netUnits: net,
    cash,
    realized,
    commission,
    bookedProfit,
    order,
    told: `${told}.`,
  });
}

/** Of an order that still works what was taken back fills again; one that was filled is not any more. */
async function correctOrder(
  trx: Transaction,
  { now: at }: TradingContext,
  { booked, ratio }: NonNullable<Ready['undone']>,
  { books }: Correction,
): Promise<AppliedProposal['order']> {
  if (booked.orderId === null) return null;
  const order = await lockOrder(trx, booked.orderId);
  const isItsOwn = books !== null && books.units > 0 === (order.decided.side === 'buy');
  const counts = isItsOwn ? Math.abs(timesRatio(books.units, 1 / ratio)) : 0;
  const most = order.decided.quantity - order.filled;
  const filledChange = quantity(Math.min(counts - Math.abs(booked.units), most));
  if (filledChange === 0) return { id: order.id, filledChange };
  const filled = quantity(order.filled + filledChange);
  if (filled === order.decided.quantity)
    await changeOrder(trx, order.id, { status: 'filled', reason: null, filled, endedAt: at });
  else if (order.status === 'filled')
    await changeOrder(trx, order.id, {
      status: 'cancelled',
      reason: { code: 'fill_corrected' },
      filled,
    });
  else await changeOrder(trx, order.id, { status: order.status, filled });
  return { id: order.id, filledChange };
}

/** What was decided on the position as it was booked before, and has not left, is decided anew. */
async function withdrawIntents(
  trx: Transaction,
  context: TradingContext,
  before: DeploymentSnapshot,
  symbol: Symbol,
): Promise<void> {
  const reason = { code: 'position_corrected' } as const;
  const waiting = before.openOrders.filter(
    ({ status, decided }) =>
      status === 'intended' && decided.symbol === symbol && decided.purpose !== 'protective',
  );
  for (const { id } of waiting) {
    const snapshot = await loadOne(trx, context, before.record.id);
    const order = snapshot.openOrders.find((one) => one.id === id);
    if (order !== undefined) await endLockedOrder(trx, context, { snapshot, order, reason });
  }
  if (waiting.length === 0) return;
  // An exit is decided at a mark: one that waited does not wait for the next price as well.
  const snapshot = await loadOne(trx, context, before.record.id);
  const change = applyEvent(snapshot, { type: 'mark', at: context.now, marks: context.marks }, context);
  await saveTransitions(trx, [change]);
  context.report.ordersWritten += change.orders.length;
}

/** What has ended holds nothing, and its last fee is billed. */
const ENDED: readonly DeploymentStatus[] = ['pending', 'stopped', 'liquidated'];
