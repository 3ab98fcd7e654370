// The events that a late execution has missed, and those that its deployment's position already includes.
import { endOfDayEvents } from '#engine/end-of-day/end-of-day-events.ts';
import {
  type LateTrade,
  type MissedPayment,
  missedDividends,
  missedSwap,
  missedSwapSessions,
  netDividends,
  splitRatioOf,
} from '#engine/end-of-day/missed-actions.ts';
import { sessionCloses } from '#engine/end-of-day/session-closes.ts';
import { previousSession } from '#engine/market/calendar.ts';
import type { CorporateAction } from '#engine/market/corporate-action.ts';
import type { Instrument } from '#engine/market/instrument.ts';
import { actionsSince } from '#engine/market/split-ratio.ts';
import type { TradingDeployment } from '#engine/execution/deployment/trading-deployment.ts';
import { findAppliedSessions, sumSwapped } from '#records/portfolio/position-events.ts';
import type { Transaction } from '#records/postgres/database.ts';
import type { Instant } from '#units/instant.ts';
import { ZERO_QUANTITY } from '#units/quantity.ts';
import type { TradingContext } from '../trading-context.ts';

type Execution = {
  readonly record: TradingDeployment;
  readonly instrument: Instrument;
  readonly at: Instant;
};

/** Current units of the deployment's holding per unit executed at `at`. */
export async function splitRatioSince(
  trx: Transaction,
  execution: Execution,
  { actions }: Pick<TradingContext, 'actions'>,
): Promise<number> {
  const { instrument, at } = execution;
  const { calendar } = instrument;
  const known = actions.get(instrument.symbol) ?? [];
  const applied = await findApplied(trx, execution, known, 'split');
  return applied === null ? 1 : splitRatioOf(known, { calendar, at }, applied);
}

/** Whether something may have been paid since the execution: what the records say of that is read then, and only then. */
export function mayMissPayments(
  { symbol, kind, calendar }: Instrument,
  at: Instant,
  { actions, now }: Pick<TradingContext, 'actions' | 'now'>,
): boolean {
  if (kind === 'forex') return at <= previousSession(calendar, now).closesAt;
  return actionsSince(actions.get(symbol) ?? [], 'dividend', { calendar, at }).length > 0;
}

/** What trades of one instrument, in units of their day, are paid more or less for the sessions since. */
export async function listMissedPayments(
  trx: Transaction,
  holding: Omit<Execution, 'at'>,
  trades: readonly LateTrade[],
  context: TradingContext,
): Promise<readonly MissedPayment[]> {
  const { instrument } = holding;
  if (instrument.kind === 'forex') return listMissedSwaps(trx, holding, trades, context);
  const known = context.actions.get(instrument.symbol) ?? [];
  const missed: MissedPayment[] = [];
  for (const { at, units: traded } of trades) {
    const applied = await findApplied(trx, { ...holding, at }, known, 'dividend');
    if (applied !== null)
      missed.push(...missedDividends(known, { calendar: instrument.calendar, at, traded }, applied));
  }
  return netDividends(missed);
}

async function listMissedSwaps(
  trx: Transaction,
  { record, instrument }: Omit<Execution, 'at'>,
  trades: readonly LateTrade[],
  context: TradingContext,
): Promise<readonly MissedPayment[]> {
  const { symbol, calendar } = instrument;
  const { closesAt } = previousSession(calendar, context.now);
  if (trades.every(({ at }) => at > closesAt)) return [];
  const of = { deploymentId: record.id, connectionId: record.connectionId };
  const applied = await findAppliedSessions(trx, of, { symbol, calendar, kind: 'swap' });
  const swapped = await sumSwapped(trx, record.id, symbol);
  return missedSwapSessions(calendar, trades, applied).map((missed) => {
    const market = { ...context, isHeldToExpiry: context.mode === 'live' };
    const closed = sessionCloses(market, context.barCloses, { calendar, date: missed.date });
    return missedSwap(missed, swapped.get(missed.date) ?? ZERO_QUANTITY, (held) => {
      const { events } = endOfDayEvents({ symbol, held, heldOf: () => undefined }, closed);
      const [swap] = events ?? [];
      if (swap?.type !== 'swap') throw new Error(`${symbol} has no price at the close of ${missed.date}`);
      return swap.perUnit;
    });
  });
}

/** Null when no such event has happened since: then the records are not read. */
async function findApplied(
  trx: Transaction,
  { record, instrument: { symbol, calendar }, at }: Execution,
  known: readonly CorporateAction[],
  kind: CorporateAction['kind'],
) {
  if (actionsSince(known, kind, { calendar, at }).length === 0) return null;
  const of = { deploymentId: record.id, connectionId: record.connectionId };
  return findAppliedSessions(trx, of, { symbol, calendar, kind });
}
