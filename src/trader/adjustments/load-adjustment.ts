// What an adjustment is decided on, read in the transaction that books it.
import type { AdjustmentFacts } from '#engine/adjustments/decide-adjustment.ts';
import type { AccountPosition, WrittenDifference } from '#engine/adjustments/judge-difference.ts';
import { previousSession } from '#engine/market/calendar.ts';
import type { Instrument } from '#engine/market/instrument.ts';
import {
  type BookedExecution,
  listBookedExecutions,
  type Proposal,
} from '#records/adjustments/adjustments.ts';
import { findOpenBreak } from '#records/adjustments/reconciliation-breaks.ts';
import { findReceived } from '#records/execution/broker-inbox.ts';
import { shardOf } from '#records/operations/trading-shards.ts';
import { listProcessedSessions } from '#records/portfolio/position-events.ts';
import type { Transaction } from '#records/postgres/database.ts';
import type { DeploymentId, Symbol } from '#units/identifiers.ts';
import { instant } from '#units/instant.ts';
import { quantity, ZERO_QUANTITY } from '#units/quantity.ts';
import type { ActiveConnection } from '../connections/connection.ts';
import { splitRatioSince } from '../end-of-day/missed-actions.ts';
import { type DeploymentSnapshot, loadSnapshots } from '../rebalance/deployment-snapshot.ts';
import { findAccountBook, isLastSessionProcessed } from '../reconciliation/account-books.ts';
import type { TradingContext } from '../trading-context.ts';

export async function loadOne(
  trx: Transaction,
  context: TradingContext,
  id: DeploymentId,
): Promise<DeploymentSnapshot> {
  const [snapshot] = await loadSnapshots(trx, [id], context, { lock: 'for update' });
  if (snapshot === undefined) throw new Error(`no deployment ${id}`);
  return snapshot;
}

export async function loadWrittenDifference(
  trx: Transaction,
  difference: string,
): Promise<WrittenDifference | null> {
  const written = await findOpenBreak(trx, difference);
  if (written === null) return null;
  const { kind, external, units, tradedAt } = written;
  return { kind, external, units, tradedAt };
}

/** Null while the broker has not told its positions, or where no deployment has traded the instrument. */
export async function loadAccountPosition(
  trx: Transaction,
  { now }: TradingContext,
  { connection: { accountId }, health }: ActiveConnection,
  symbol: string,
): Promise<AccountPosition | null> {
  const book = await findAccountBook(trx, accountId, symbol);
  if (health.held === null || book === undefined) return null;
  const { ours, external, externalPosition } = book;
  const broker = quantity(health.held.get(symbol as Symbol) ?? 0);
  return {
    broker,
    ours: quantity(ours),
    external,
    externalPosition,
    isProcessed: isLastSessionProcessed(book, now),
  };
}

export type LoadedAdjustment = {
  readonly facts: AdjustmentFacts;
  readonly instrument: Instrument | undefined;
  /** The execution that is undone, and how many units one of it has become. */
  readonly undone: { readonly booked: BookedExecution; readonly ratio: number } | null;
};

export async function loadAdjustmentFacts(
  trx: Transaction,
  context: TradingContext,
  { record, state, openOrders }: DeploymentSnapshot,
  proposal: Proposal,
): Promise<LoadedAdjustment> {
  const symbol = proposal.symbol as Symbol;
  const instrument = context.instruments.get(symbol);
  const version = context.versions.get(record.versionId);
  const of = instrument && { record, instrument };
  const undone = of ? await loadUndone(trx, context, of, proposal) : null;
  const facts: AdjustmentFacts = {
    symbol,
    isInCatalogue: instrument !== undefined,
    status: record.status,
    mayBeShort: version ? version.allowsShort || version.definition.options !== undefined : null,
    isEndOfDayProcessed: of ? await isEndOfDayProcessed(trx, context, of) : false,
    held: state.portfolio.positions.get(symbol)?.quantity ?? ZERO_QUANTITY,
    openOrders: openOrders.map(({ id, decided, status }) => ({
      id,
      symbol: decided.symbol,
      purpose: decided.purpose,
      isIntended: status === 'intended',
    })),
    undone: undoneFacts(undone, proposal),
    booked: of ? await loadBooked(trx, context, of, proposal) : null,
    isOfExternalTrade: isOfExternalTrade(proposal),
  };
  return { facts, instrument, undone };
}

export function isOfExternalTrade({ answers }: Proposal): boolean {
  return answers.difference !== null && answers.kind === 'external_trade';
}

type Of = { readonly record: DeploymentSnapshot['record']; readonly instrument: Instrument };

/** Null when nothing is undone, or nothing of it is booked for the deployment. */
async function loadUndone(
  trx: Transaction,
  context: TradingContext,
  { record, instrument }: Of,
  { accountId, undoes }: Proposal,
): Promise<LoadedAdjustment['undone']> {
  if (undoes === null) return null;
  const { symbol } = instrument;
  const [booked] = await listBookedExecutions(trx, { account: accountId, symbol, ids: [undoes] });
  if (booked?.deploymentId !== record.id) return null;
  const at = instant(booked.at.getTime());
  return { booked, ratio: await splitRatioSince(trx, { record, instrument, at }, context) };
}

function undoneFacts(undone: LoadedAdjustment['undone'], { undoes }: Proposal): AdjustmentFacts['undone'] {
  if (undoes === null) return null;
  if (undone === null) return { missing: undoes };
  const { orderId, units, price, commission, profit } = undone.booked;
  return { orderId, units, price, commission, profit, ratio: undone.ratio };
}

/** An execution is answered in the units that it was reported in; a difference is one of now. */
async function loadBooked(
  trx: Transaction,
  context: TradingContext,
  { record, instrument }: Of,
  { accountId, answers, units, price, commission }: Proposal,
): Promise<AdjustmentFacts['booked']> {
  if (units === 0 || price === null) return null;
  const report = answers.execution === null ? null : await findReceived(trx, accountId, answers.execution);
  if (report === null) return { units, price, commission, ratio: 1 };
  const ratio = await splitRatioSince(trx, { record, instrument, at: instant(report.at) }, context);
  return { units, price, commission, ratio };
}

/** Units are those of after the last end of day, as everything else that is booked by day. */
async function isEndOfDayProcessed(
  trx: Transaction,
  { now }: TradingContext,
  { record, instrument: { calendar } }: Of,
): Promise<boolean> {
  const processed = (await listProcessedSessions(trx, [shardOf(record.connectionId)])).get(calendar);
  return processed !== undefined && processed >= previousSession(calendar, now).date;
}
