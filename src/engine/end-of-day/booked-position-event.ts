// One thing that happened to a holding becomes a fact: ledger, position, valuation and notice.
import type { IsoDate } from '#units/instant.ts';
import type { Micro } from '#units/money.ts';
import type { Quantity } from '#units/quantity.ts';
import { applyEvent } from '../execution/deployment/apply-event.ts';
import type { DeploymentSnapshot } from '../execution/deployment/deployment-snapshot.ts';
import { bookingEntries } from '../execution/deployment/ledger-posting.ts';
import type { PositionEventFacts } from '../execution/deployment/notice-facts.ts';
import { noticeTo } from '../execution/deployment/notices.ts';
import type { NewNotice, StateTransition } from '../execution/deployment/state-transition.ts';
import type { TradingMarket } from '../execution/deployment/trading-market.ts';
import type { Adjustment } from '../market/adjustment.ts';
import type { CoinFee, PositionEvent } from '../market/position-event.ts';
import { applyPositionEvent } from '../portfolio/apply-position-event.ts';
import { positionEventFacts } from './position-event-facts.ts';

export type HappenedPositionEvent = {
  /** The basis of the amount; for an adjustment, the change. */
  readonly entitled: Quantity;
  /** The session after whose close it happened; for an adjustment, its day. */
  readonly sessionDate: IsoDate;
  /**
   * The execution that was reported too late for that session, as account and id; empty for the session itself. For an
   * adjustment, the id of the proposal; for a fee in coins, the execution and the number of the change of its fee; for an
   * assignment that a broker lists, the broker's id of it.
   */
  readonly execution: string;
} & (
  | { readonly event: PositionEvent | CoinFee }
  | {
      readonly event: Adjustment;
      /** The owner's text: the end of a sentence. */
      readonly explanation: string;
    }
);

export type BookedPositionEvent = { readonly realized: Micro; readonly transition: StateTransition };

/** Null when no affected position is held. */
export function bookedPositionEvent(
  snapshot: DeploymentSnapshot,
  happened: HappenedPositionEvent,
  market: TradingMarket,
): BookedPositionEvent | null {
  const { event, entitled, sessionDate, execution } = happened;
  const { record, state } = snapshot;
  const { now: at, instruments } = market;
  const { portfolio, marks } = state;
  const applied = applyPositionEvent(portfolio, event, { instruments, marks, at, entitled });
  if (applied === null) return null;
  const { booking, realizedPnl: realized } = applied;
  // What a broker lists of an assignment is no late trade: it happens now.
  const isLate = execution !== '' && event.type !== 'assignment';
  const cause = `${event.type}:${record.id}:${event.symbol}:${sessionDate}${execution === '' ? '' : `:${execution}`}`;
  const kind = isLate && event.type !== 'coin_fee' ? 'adjustment' : 'position_event';
  const posting = { deploymentId: record.id, kind, cause, at, entries: bookingEntries(booking) } as const;
  const movesMoney = Object.values(booking).some((amount) => amount !== 0);
  const next = applyEvent(snapshot, { type: 'position_event', at, event, entitled }, market);
  const facts = factsOf(happened, { realized, isLate });
  const notice: readonly NewNotice[] =
    facts === null
      ? []
      : [
          noticeTo(
            record,
            { kind: 'position_changed', strategyName: record.strategyName, holding: facts },
            { cause, at },
          ),
        ];
  return {
    realized,
    transition: {
      ...next,
      postings: movesMoney ? [posting] : [],
      notices: [...next.notices, ...notice],
    },
  };
}

function factsOf(
  happened: HappenedPositionEvent,
  booked: { readonly realized: Micro; readonly isLate: boolean },
): PositionEventFacts | null {
  if ('explanation' in happened)
    return { type: 'adjustment', symbol: happened.event.symbol, explanation: happened.explanation };
  const { event } = happened;
  // The notice of its purchase has it as the commission.
  return event.type === 'coin_fee' ? null : positionEventFacts({ ...happened, ...booked, event });
}
