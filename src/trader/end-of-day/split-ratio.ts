import { actionsSince, type AppliedAction, ratioOf } from '#engine/market/split-ratio.ts';
import type { CalendarId, Instrument } from '#engine/market/instrument.ts';
import { findAppliedSessions } from '#records/portfolio/position-events.ts';
import type { Transaction } from '#records/postgres/database.ts';
import type { TradingDeployment } from '#records/deployments/trading-deployments.ts';
import type { Side } from '#engine/order/order.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { Instant, IsoDate } from '#units/instant.ts';
import { type Quantity, quantity } from '#units/quantity.ts';
import { roundHalfEven } from '#units/round.ts';
import type { TradingContext } from '../trading-context.ts';

/**
 * How many units of what the deployment holds now one unit executed at `at` is. More or less than 1 only when the broker
 * told of the execution so late that a split had been applied meanwhile: a split yet to be applied counts it by itself.
 */
export async function splitRatioSince(
  trx: Transaction,
  { record, instrument, at }: { record: TradingDeployment; instrument: Instrument; at: Instant },
  { actions }: Pick<TradingContext, 'actions'>,
): Promise<number> {
  const { symbol, calendar } = instrument;
  const splits = actionsSince(actions.get(symbol) ?? [], 'split', { calendar, at });
  return ratioOf(await appliedOf(trx, splits, { record, symbol, calendar, kind: 'split' }));
}

export type MissedDividend = {
  readonly sessionDate: IsoDate;
  readonly perUnit: number;
  /** Signed like what was traded, in the shares of that night. */
  readonly entitled: Quantity;
};

/**
 * The dividends that were paid to the deployment without one of its executions counting, because the broker told of it
 * after their night. One whose night is still to be passed counts it by itself.
 */
export async function dividendsMissed(
  trx: Transaction,
  { record, instrument, at }: { record: TradingDeployment; instrument: Instrument; at: Instant },
  traded: { readonly side: Side; readonly quantity: Quantity },
  { actions }: Pick<TradingContext, 'actions'>,
): Promise<readonly MissedDividend[]> {
  const { symbol, calendar } = instrument;
  const known = actions.get(symbol) ?? [];
  const dividends = actionsSince(known, 'dividend', { calendar, at });
  const missed = await appliedOf(trx, dividends, { record, symbol, calendar, kind: 'dividend' });
  const signed = traded.side === 'buy' ? traded.quantity : -traded.quantity;
  return missed.map(({ sessionDate, amount }) => {
    const before = actionsSince(known, 'split', { calendar, at }).filter(
      (split) => split.sessionDate < sessionDate,
    );
    return { sessionDate, perUnit: amount, entitled: quantity(roundHalfEven(signed * ratioOf(before))) };
  });
}

type Question = {
  readonly record: TradingDeployment;
  readonly symbol: Symbol;
  readonly calendar: CalendarId;
  readonly kind: 'split' | 'dividend';
};

async function appliedOf(
  trx: Transaction,
  found: readonly AppliedAction[],
  { record, symbol, calendar, kind }: Question,
): Promise<readonly AppliedAction[]> {
  if (found.length === 0) return found;
  const of = { deploymentId: record.id, connectionId: record.connectionId };
  const { passed, sessions } = await findAppliedSessions(trx, of, { symbol, calendar, kind });
  return found.filter(
    ({ sessionDate }) => (passed !== null && sessionDate <= passed) || sessions.has(sessionDate),
  );
}
