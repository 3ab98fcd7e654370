// A broker's figure for an event of holdings replaces our estimate in the books of one deployment, as its part of the fees of a
// day's trades, which we do not estimate. Promises that cash,
// result and equity move by the difference, and no price and no position does.
import type { Symbol } from '#units/identifiers.ts';
import type { IsoDate } from '#units/instant.ts';
import { add, type Micro, micro, ZERO_MICRO } from '#units/money.ts';
import type { DeploymentSnapshot } from '../deployment/deployment-snapshot.ts';
import { equityMark } from '../deployment/equity-mark.ts';
import { bookingEntries } from '../deployment/ledger-posting.ts';
import { noticeTo } from '../deployment/notices.ts';
import { noTransition, type StateTransition } from '../deployment/state-transition.ts';
import type { TradingMarket } from '../deployment/trading-market.ts';

export type StatedFigure = {
  readonly symbol: Symbol;
  readonly sessionDate: IsoDate;
  readonly kind: 'dividend' | 'swap' | 'delivery' | 'trading_fee';
  /** Its number within the event and deployment. */
  readonly number: number;
  /** The deployment's part of the broker's figure, and what of it is not booked yet. */
  readonly share: Micro;
  readonly change: Micro;
};

export function bookStatedChange(
  { record }: Pick<DeploymentSnapshot, 'record'>,
  { symbol, sessionDate, kind, number, share, change }: StatedFigure,
  market: Pick<TradingMarket, 'now' | 'versions' | 'marks' | 'exceptions'>,
): StateTransition {
  const { now: at } = market;
  const after = {
    ...record,
    cash: add(record.cash, change),
    realized: add(record.realized, change),
    equity: add(record.equity, change),
  };
  const cause = `${kind}_figure:${record.id}:${symbol}:${sessionDate}:${number}`;
  const entries = bookingEntries({
    cash: change,
    holdings: ZERO_MICRO,
    realized: micro(-change),
    commission: ZERO_MICRO,
  });
  const mark = record.endedAt === null ? equityMark(after, at, market) : null;
  const { strategyName } = record;
  return {
    ...noTransition(record, at),
    after,
    postings: [{ deploymentId: record.id, kind: 'position_event', cause, at, entries }],
    equityMarks: mark === null ? [] : [mark],
    notices:
      kind === 'swap' || kind === 'trading_fee'
        ? []
        : [
            noticeTo(
              record,
              {
                kind: 'position_changed',
                strategyName,
                holding: { type: 'stated', symbol, of: kind, stated: share, estimate: micro(share - change) },
              },
              { cause, at },
            ),
          ],
  };
}
