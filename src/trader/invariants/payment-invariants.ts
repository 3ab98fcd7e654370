// Holders of a share at the close before its ex-date, and of a pair at the end of each session, by execution time and not by
// report time, compared with the units for which its dividend or swap was paid.
import { previousTradingDay, session, tradingDaysSince } from '#engine/market/calendar.ts';
import { listCorporateActions } from '#records/market/corporate-actions.ts';
import type { Invariant, Violation } from '#records/invariants/invariant.ts';
import {
  type AdjustedShares,
  listSharesTraded,
  type SharesTraded,
} from '#records/invariants/payment-rows.ts';
import type { CorporateAction } from '#engine/market/corporate-action.ts';
import type { CalendarId } from '#engine/market/instrument.ts';
import { withoutShortfall } from '#engine/market/adjustment.ts';
import { type Instant, instant, type IsoDate } from '#units/instant.ts';
import { fromQuantity, quantity } from '#units/quantity.ts';
import { actionsSince, ratioOf } from '#engine/market/split-ratio.ts';

export const PAYMENT_INVARIANTS: readonly Invariant[] = [
  {
    id: 'I2',
    says: 'Each dividend and each swap was paid for what was held at the end of its session, however late an execution was reported',
    async find(database) {
      const violations: Violation[] = [];
      for (const shares of await listSharesTraded(database)) {
        const actions = await listCorporateActions(database, shares.symbol);
        for (const sessionDate of payingSessions(shares, actions)) {
          const held = heldAt(shares, sessionDate, actions);
          const paid = shares.paid
            .filter(({ date }) => date === sessionDate)
            .reduce((sum, one) => sum + one.shares, 0);
          if (Math.abs(held - paid) <= ROUNDING) continue;
          const { deploymentId: deployment_id, symbol } = shares;
          violations.push({ deployment_id, symbol, session_date: sessionDate, held, paid_for: paid });
        }
      }
      return violations;
    },
  },
];

/** The sessions that have passed and pay who holds over their end. */
function payingSessions(
  { calendar, pays, passed, trades }: SharesTraded,
  actions: readonly CorporateAction[],
): readonly IsoDate[] {
  if (pays === 'dividend')
    return actions
      .filter(({ kind }) => kind === 'dividend')
      .map(({ exDate }) => previousTradingDay(calendar, exDate))
      .filter((date) => date <= passed);
  const first = instant(Math.min(...trades.map(({ at }) => at)));
  return tradingDaysSince(calendar, first, passed);
}

/** In the shares of that session. */
function heldAt(
  { calendar, trades, deliveries, adjusted }: SharesTraded,
  sessionDate: IsoDate,
  actions: readonly CorporateAction[],
): number {
  const { closesAt } = session(calendar, sessionDate)!;
  const moved = [
    ...trades,
    ...adjusted.flatMap((one) => tradesOf(one, calendar, actions)),
    ...deliveries.map(({ date, shares }) => ({ at: session(calendar, date)!.closesAt, shares })),
  ];
  return moved
    .filter(({ at }) => at <= closesAt)
    .reduce((sum, { at, shares }) => {
      const splits = actionsSince(actions, 'split', { calendar, at }).filter(
        (split) => split.sessionDate < sessionDate,
      );
      return sum + shares * ratioOf(splits);
    }, 0);
}

/** The trades that an adjustment reverses and books, in shares of their own days: a difference is of the day it is booked. */
function tradesOf(
  { at, event, undoneAt, tradedAt }: AdjustedShares,
  calendar: CalendarId,
  actions: readonly CorporateAction[],
) {
  const { undoes, books } = withoutShortfall(event);
  const splitRatio = (from: Instant) => ratioOf(actionsSince(actions, 'split', { calendar, at: from }));
  const trade = (when: Instant | null, units: number) => {
    const traded = when ?? at;
    const sinceThen = splitRatio(traded) / splitRatio(at);
    return { at: traded, shares: fromQuantity(quantity(units)) / sinceThen };
  };
  return [
    ...(undoes === null ? [] : [trade(undoneAt, -undoes.units)]),
    ...(books === null ? [] : [trade(tradedAt, books.units)]),
  ];
}

/** Shares; splits round each holding to a hundred-millionth. */
const ROUNDING = 1e-6;
