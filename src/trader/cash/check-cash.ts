// Takes the cash statement of an account after each session, and again until its cash is explained or a person is asked.
import type { CashActivity } from '#engine/cash/cash-activity.ts';
import { type CashVerdict, isSettled, judgeCash } from '#engine/cash/judge-cash.ts';
import { cashStatement, unexplainedCash } from '#engine/cash/cash-statement.ts';
import { conversionOf, ratesOpenSince } from '#engine/cash/conversion.ts';
import { nettingDoubt } from '#engine/cash/net-position.ts';
import { isLastSessionProcessed } from '#engine/execution/reconciliation/external-position.ts';
import { previousSession } from '#engine/market/calendar.ts';
import { findOpening } from '#records/cash/account-openings.ts';
import { findPendingSince, listForeignResults, sumMovedCash } from '#records/cash/cash-facts.ts';
import { coinFeesDueSince } from '#records/cash/coin-fees.ts';
import {
  endCashBreak,
  findCashBreak,
  listStatements,
  lockAccountCash,
  openCashBreak,
  saveStatement,
  sumStatementsBefore,
} from '#records/cash/cash-statements.ts';
import { listOwnerHoldings } from '#records/cash/owner-dividends.ts';
import { listNetHistories } from '#records/cash/net-histories.ts';
import { endIncident, openIncident } from '#records/incidents/incidents.ts';
import type { BrokerCash } from '#ports/broker.ts';
import type { Transaction } from '#records/postgres/database.ts';
import type { BrokerAccountId, BrokerConnectionId } from '#units/identifiers.ts';
import { type Instant, type IsoDate, MINUTE_MS } from '#units/instant.ts';
import { type Micro, toCents } from '#units/money.ts';
import { valueOf } from '../connections/broker-unavailable.ts';
import type { ActiveConnection } from '../connections/connection.ts';
import { askActivities, bookActivities } from '../reconciliation/book-activities.ts';
import { bookOwnerDividends } from './book-owner-dividends.ts';
import type { KnownCash } from './known-cash.ts';
import { readAccountBooks } from '../reconciliation/account-books.ts';
import type { TradingContext } from '../trading-context.ts';

/** Orders and executions were read and booked just before. */
export async function checkCash(context: TradingContext, active: ActiveConnection): Promise<void> {
  const { connection, session, known } = active;
  const { accountId } = connection;
  known.cash ??= await readKnownCash(context, accountId);
  const { date, closesAt } = previousSession('us-equity', context.now);
  const isStated = known.cash.date === date && known.cash.isFinal && !known.cash.hasBreak;
  if (isStated && !mayListFees(session, known.cash, context.now)) return;
  const opening = await findOpening(context.database, accountId);
  if (opening === null) return;
  if (isStated || opening.at >= closesAt) {
    known.cash = { ...(await readCoinFees(context, active, { opening, before: known.cash })), settled: date };
    return;
  }
  // Before the cash: what it already includes is then listed.
  const activities = await askActivities(context, active, opening.at);
  const shown = valueOf('cash', await session.cash(accountId));
  const before = known.cash;
  known.cash = await context.database.transaction().execute(async (trx) => {
    await context.lease.fence(trx, [connection.id]);
    await lockAccountCash(trx, accountId);
    return takeStatement(trx, context, {
      accountId,
      connectionId: connection.id,
      date,
      opening,
      activities,
      shown,
      before,
    });
  });
  if (known.cash.hasBreak && !before.hasBreak)
    context.logger.warn(
      { accountId, date },
      'trader: the cash of an account is not what our books say; a person must look',
    );
}

/** Coins leave the account on every day of the week, between two statements: their fees are listed then. */
async function readCoinFees(
  context: TradingContext,
  active: ActiveConnection,
  { opening, before }: Pick<Taken, 'opening' | 'before'>,
): Promise<KnownCash> {
  const { connection, session } = active;
  const { accountId } = connection;
  const { now } = context;
  if (!mayListFees(session, before, now)) return before;
  const after = { ...before, feesReadAt: now };
  if ((await coinFeesDueSince(context.database, accountId)) === null) return after;
  const activities = await askActivities(context, active, opening.at);
  if (activities === null) return after;
  await context.database.transaction().execute(async (trx) => {
    await context.lease.fence(trx, [connection.id]);
    await lockAccountCash(trx, accountId);
    const holdings = await listOwnerHoldings(trx, accountId);
    const owned = await bookOwnerDividends(trx, accountId, { holdings, openedAt: opening.at, now });
    await bookActivities(trx, context, accountId, { activities, owned });
  });
  return after;
}

function mayListFees(session: ActiveConnection['session'], { feesReadAt }: KnownCash, now: Instant): boolean {
  return session.cashActivities !== undefined && now - feesReadAt >= FEES_EVERY_MS;
}

const NEVER = 0 as Instant;
const FEES_EVERY_MS = 10 * MINUTE_MS;

type Taken = {
  readonly accountId: BrokerAccountId;
  readonly connectionId: BrokerConnectionId;
  readonly date: IsoDate;
  readonly opening: { readonly at: Instant; readonly cash: Micro };
  readonly activities: readonly CashActivity[] | null;
  readonly shown: BrokerCash;
  readonly before: KnownCash;
};

async function takeStatement(
  trx: Transaction,
  context: TradingContext,
  { accountId, connectionId, date, opening, activities, shown, before }: Taken,
): Promise<KnownCash> {
  const { now } = context;
  const { cash, currency } = shown;
  const holdings = await listOwnerHoldings(trx, accountId);
  const owned = await bookOwnerDividends(trx, accountId, { holdings, openedAt: opening.at, now });
  if (activities !== null) await bookActivities(trx, context, accountId, { activities, owned });
  const pendingSince = await findPendingSince(trx, accountId);
  const books = await readAccountBooks(trx, accountId);
  // Its owner's shares earn dividends too, on exchanges where no deployment of the account may hold anything.
  const isDayBooked = [...books, ...holdings].every((held) => isLastSessionProcessed(held, now));
  const netted = await listNetHistories(trx, accountId);
  const conversion = conversionOf(await listForeignResults(trx, accountId, netted));
  const moved = await sumMovedCash(trx, accountId, netted);
  const facts = { opening: opening.cash, moved, cash, conversionMax: conversion.max };
  const statement = cashStatement({ ...facts, earlier: await sumStatementsBefore(trx, accountId, date) });
  const unexplained = unexplainedCash(facts);
  const look = {
    unexplained,
    isGuessed: !isDayBooked && statement.lines.conversion !== 0,
    pendingSince: isDayBooked ? pendingSince : now,
    ratesOpenSince: ratesOpenSince(conversion, unexplained),
    netting: nettingDoubt(netted),
    now,
  };
  const verdict = judgeCash({ ...look, seen: before.seen });
  await saveStatement(trx, accountId, { ...statement, date, takenAt: now, isFinal: verdict !== 'waits' });
  const hasBreak = await saveBreak(trx, verdict, { accountId, unexplained, currency, date });
  await saveIncident(trx, context, verdict, { accountId, connectionId, unexplained, currency, date });
  const seen = isSettled(look) ? unexplained : null;
  const settled = verdict === 'explained' ? date : null;
  return { date, isFinal: verdict !== 'waits', hasBreak, settled, seen, feesReadAt: now };
}

/** Whether a break is open afterwards. */
async function saveBreak(
  trx: Transaction,
  verdict: CashVerdict,
  {
    accountId,
    ...seen
  }: {
    readonly accountId: BrokerAccountId;
    readonly unexplained: Micro;
    readonly currency: string;
    readonly date: IsoDate;
  },
): Promise<boolean> {
  if (verdict === 'explained') await endCashBreak(trx, accountId);
  if (verdict === 'difference') await openCashBreak(trx, accountId, seen);
  return verdict === 'waits' ? (await findCashBreak(trx, accountId)) !== null : verdict === 'difference';
}

/** Ends with the break; one that waits changes nothing. */
async function saveIncident(
  trx: Transaction,
  { realNow }: TradingContext,
  verdict: CashVerdict,
  {
    accountId,
    connectionId,
    unexplained,
    currency,
    date,
  }: Pick<Taken, 'accountId' | 'connectionId' | 'date'> & {
    readonly unexplained: Micro;
    readonly currency: string;
  },
): Promise<void> {
  const key = { kind: 'cash_unexplained', subject: accountId } as const;
  if (verdict === 'explained') await endIncident(trx, key, { how: 'cleared', at: realNow() });
  if (verdict !== 'difference') return;
  const facts = { amount: toCents(unexplained), currency, date };
  await openIncident(trx, { ...key, accountId, connectionId, facts }, realNow());
}

async function readKnownCash({ database }: TradingContext, accountId: BrokerAccountId): Promise<KnownCash> {
  const [last] = await listStatements(database, accountId, 1);
  const hasBreak = (await findCashBreak(database, accountId)) !== null;
  const isFinal = last?.isFinal ?? false;
  return {
    date: last?.date ?? null,
    isFinal,
    hasBreak,
    settled: isFinal && !hasBreak ? last!.date : null,
    seen: null,
    feesReadAt: NEVER,
  };
}
