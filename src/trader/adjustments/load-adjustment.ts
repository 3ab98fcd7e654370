// The inputs of an adjustment's decision, read in the transaction that books it.
import { accountPosition, adjustmentFacts } from '#engine/adjustments/adjustment-facts.ts';
import type { AdjustmentFacts } from '#engine/adjustments/decide-adjustment.ts';
import type { AccountPosition, WrittenDifference } from '#engine/adjustments/judge-difference.ts';
import type { DeploymentSnapshot } from '#engine/execution/deployment/deployment-snapshot.ts';
import { previousSession } from '#engine/market/calendar.ts';
import { isPositionUnread } from '#engine/execution/reconciliation/unread-rows.ts';
import {
  externalTradeEntry,
  type KeptExecution,
  revisionEntries,
  type SuspenseEntry,
} from '#engine/adjustments/suspense-entry.ts';
import type { Instrument } from '#engine/market/instrument.ts';
import type { BrokerExecution } from '#ports/broker.ts';
import {
  type BookedExecution,
  listBookedExecutions,
  type Proposal,
} from '#records/adjustments/adjustments.ts';
import { findOpenBreak } from '#records/adjustments/reconciliation-breaks.ts';
import { findReceived } from '#records/execution/broker-inbox.ts';
import { findKeptExecution } from '#records/execution/kept-execution.ts';
import { shardOf } from '#records/operations/trading-shards.ts';
import { listProcessedSessions } from '#records/portfolio/position-events.ts';
import type { Transaction } from '#records/postgres/database.ts';
import type { Symbol } from '#units/identifiers.ts';
import { type Instant, instant } from '#units/instant.ts';
import type { ActiveConnection } from '../connections/connection.ts';
import { splitRatioSince } from '../end-of-day/missed-actions.ts';
import { findAccountBook } from '../reconciliation/account-books.ts';
import { judgeBooked } from '../reconciliation/revised-executions.ts';
import type { TradingContext } from '../trading-context.ts';

export async function loadWrittenDifference(
  trx: Transaction,
  difference: string,
): Promise<WrittenDifference | null> {
  const written = await findOpenBreak(trx, difference);
  if (written === null) return null;
  const { kind, external, units, tradedAt } = written;
  return { kind, external, units, tradedAt };
}

/** Null while the broker has not reported its positions, or where no deployment has traded the instrument. */
export async function loadAccountPosition(
  trx: Transaction,
  { now }: TradingContext,
  { connection: { accountId }, known }: ActiveConnection,
  symbol: string,
): Promise<AccountPosition | null> {
  const book = await findAccountBook(trx, accountId, symbol);
  const { held, unsure } = known.health;
  return accountPosition(isPositionUnread(unsure, symbol as Symbol) ? null : held, book, now);
}

/** What an adjustment puts into suspense that no deployment takes: the execution that it answers, or the current difference. */
export async function loadExternalEntries(
  trx: Transaction,
  { now, marks }: TradingContext,
  proposal: Proposal,
): Promise<readonly SuspenseEntry[]> {
  const { accountId, answers, symbol } = proposal;
  const { execution } = answers;
  const revised = execution === null ? null : await findReceived(trx, accountId, execution);
  const verdict = revised === null ? null : await judgeBooked(trx, accountId, revised);
  if (verdict?.type === 'hold' && verdict.hold.code === 'revises_booked') {
    const first = await findKeptExecution(trx, accountId, verdict.hold.booked);
    if (first !== null) return revisionEntries(proposal, execution!, { first, revised: keptAs(revised!) });
  }
  const at = revised === null ? now : instant(revised.at);
  return [externalTradeEntry(proposal, { execution, at, mark: marks.get(symbol as Symbol) })];
}

function keptAs({ side, quantity, price, commission, at }: BrokerExecution): KeptExecution {
  return { side, quantity, price, commission, at: instant(at) };
}

export type LoadedAdjustment = {
  readonly facts: AdjustmentFacts;
  readonly instrument: Instrument | undefined;
  /** The undone execution, and the number of current units per unit of it. */
  readonly undone: { readonly booked: BookedExecution; readonly ratio: number } | null;
  /** When the execution that it books was traded; null for a difference. */
  readonly tradedAt: Instant | null;
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
  const booked = of ? await loadBooked(trx, context, of, proposal) : null;
  const facts = adjustmentFacts(
    symbol,
    { record, state, openOrders },
    {
      isInCatalogue: instrument !== undefined,
      mayBeShort: version ? version.allowsShort || version.definition.options !== undefined : null,
      isEndOfDayProcessed: of ? await isEndOfDayProcessed(trx, context, of) : false,
      undone: undone === null ? null : { ...undone.booked, ratio: undone.ratio },
      undoes: proposal.undoes,
      booked: booked?.trade ?? null,
      answers: proposal.answers,
    },
  );
  return { facts, instrument, undone, tradedAt: booked?.at ?? null };
}

type Of = { readonly record: DeploymentSnapshot['record']; readonly instrument: Instrument };

/** Null when nothing is undone, or none of it is booked for the deployment. */
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

/** An execution is answered in the units in which it was reported; a difference in current units. */
async function loadBooked(
  trx: Transaction,
  context: TradingContext,
  { record, instrument }: Of,
  { accountId, answers, units, price, commission }: Proposal,
): Promise<{ readonly trade: AdjustmentFacts['booked']; readonly at: Instant | null } | null> {
  if (units === 0 || price === null) return null;
  const report = answers.execution === null ? null : await findReceived(trx, accountId, answers.execution);
  if (report === null) return { trade: { units, price, commission, ratio: 1 }, at: null };
  const at = instant(report.at);
  const ratio = await splitRatioSince(trx, { record, instrument, at }, context);
  return { trade: { units, price, commission, ratio }, at };
}

/** Units are those after the last end of day, like all bookings by day. */
async function isEndOfDayProcessed(
  trx: Transaction,
  { now }: TradingContext,
  { record, instrument: { calendar } }: Of,
): Promise<boolean> {
  const processed = (await listProcessedSessions(trx, [shardOf(record.connectionId)])).get(calendar);
  return processed !== undefined && processed >= previousSession(calendar, now).date;
}
