// One thing that happened to a holding becomes a fact, once: event, ledger, position, valuation and notice.
import type { Adjustment } from '#engine/market/adjustment.ts';
import type { PositionEvent } from '#engine/market/position-event.ts';
import type { AppliedFill } from '#engine/portfolio/apply-fill.ts';
import { applyPositionEvent } from '#engine/portfolio/apply-position-event.ts';
import type { Transaction } from '#records/postgres/database.ts';
import { insertPositionEvent } from '#records/portfolio/position-events.ts';
import { postTransaction } from '#records/portfolio/ledger.ts';
import type { DeploymentId } from '#units/identifiers.ts';
import type { IsoDate } from '#units/instant.ts';
import type { Quantity } from '#units/quantity.ts';
import { saveTransitions } from '../rebalance/state-transition.ts';
import { adjustmentNotice, positionEventNotices } from './position-event-notices.ts';
import { applyEvent } from '../rebalance/apply-event.ts';
import { loadSnapshots } from '../rebalance/deployment-snapshot.ts';
import type { TradingContext } from '../trading-context.ts';

export type NewPositionEvent = {
  readonly deploymentId: DeploymentId;
  /** What it is reckoned on; of an adjustment what it makes more or less. */
  readonly entitled: Quantity;
  /** The session after whose close it happened; of an adjustment its day. */
  readonly sessionDate: IsoDate;
  /**
   * The execution that was reported too late for that session, as account and id; empty for the session itself. Of an adjustment
   * the id of what was proposed.
   */
  readonly execution: string;
} & (
  | { readonly event: PositionEvent }
  | {
      readonly event: Adjustment;
      /** What its owner reads of it: the end of a sentence. */
      readonly explanation: string;
    }
);

/** Null, and nothing done, when it was applied before, or where nothing is held that it could happen to. */
export async function bookPositionEvent(
  trx: Transaction,
  context: TradingContext,
  happened: NewPositionEvent,
): Promise<AppliedFill | null> {
  const { deploymentId, event, entitled, sessionDate, execution } = happened;
  const [snapshot] = await loadSnapshots(trx, [deploymentId], context, { lock: 'for update' });
  if (snapshot === undefined) throw new Error(`no deployment ${deploymentId}`);
  const { portfolio, marks } = snapshot.state;
  const { now: at, instruments } = context;
  const applied = applyPositionEvent(portfolio, event, { instruments, marks, at, entitled });
  if (applied === null) return null;
  const { booking, realizedPnl: realized } = applied;
  const record = { deploymentId, date: sessionDate, event, entitled, realized, at, execution };
  if ((await insertPositionEvent(trx, record)) === 'repeated') return null;
  const isLate = execution !== '';
  const cause = `${event.type}:${deploymentId}:${event.symbol}:${sessionDate}${isLate ? `:${execution}` : ''}`;
  if (Object.values(booking).some((amount) => amount !== 0)) {
    await postTransaction(trx, {
      deploymentId,
      kind: isLate ? 'adjustment' : 'position_event',
      cause,
      at,
      entries: [
        { account: 'cash', amount: booking.cash },
        { account: 'holdings', amount: booking.holdings },
        { account: 'realized', amount: booking.realized },
        { account: 'commission', amount: booking.commission },
      ],
    });
  }
  const change = applyEvent(snapshot, { type: 'position_event', at, event, entitled }, context);
  const notices =
    'explanation' in happened
      ? [
          adjustmentNotice(
            snapshot.record,
            { symbol: event.symbol, explanation: happened.explanation, cause },
            context,
          ),
        ]
      : positionEventNotices(snapshot.record, { ...happened, realized, cause, isLate }, context);
  await saveTransitions(trx, [{ ...change, notifications: [...change.notifications, ...notices] }]);
  return applied;
}
