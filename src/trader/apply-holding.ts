// One thing that happened to a holding becomes a fact, once: event, ledger, position, valuation and notice.
import type { HoldingEvent } from '#engine/market/holding-event.ts';
import { applyHoldingEvent } from '#engine/portfolio/apply-holding-event.ts';
import type { Transaction } from '#records/database.ts';
import { insertHoldingEvent } from '#records/holding-events.ts';
import { postTransaction } from '#records/ledger.ts';
import type { DeploymentId } from '#units/identifiers.ts';
import type { IsoDate } from '#units/instant.ts';
import type { Quantity } from '#units/quantity.ts';
import { writeChanges } from './change.ts';
import { holdingNotices } from './holding-notices.ts';
import { react } from './react.ts';
import { loadStandings } from './standing.ts';
import type { TradingContext } from './trading-context.ts';

export type Happened = {
  readonly deploymentId: DeploymentId;
  readonly event: HoldingEvent;
  /** What it is reckoned on. */
  readonly entitled: Quantity;
  /** The session after whose close it happened. */
  readonly night: IsoDate;
  /** The execution that was told too late for that night, as account and id; empty for the night itself. */
  readonly execution: string;
};

/** Does nothing when it was applied before, or where nothing is held that it could happen to. */
export async function applyHolding(
  trx: Transaction,
  context: TradingContext,
  { deploymentId, event, entitled, night, execution }: Happened,
): Promise<void> {
  const [standing] = await loadStandings(trx, [deploymentId], context, { lock: 'for update' });
  if (standing === undefined) throw new Error(`no deployment ${deploymentId}`);
  const { portfolio, marks } = standing.state;
  const { now: at, instruments } = context;
  const applied = applyHoldingEvent(portfolio, event, { instruments, marks, at, entitled });
  if (applied === null) return;
  const { booking, realizedPnl: realized } = applied;
  const record = { deploymentId, date: night, event, entitled, realized, at, execution };
  if ((await insertHoldingEvent(trx, record)) === 'repeated') return;
  const isLate = execution !== '';
  const cause = `${event.type}:${deploymentId}:${event.symbol}:${night}${isLate ? `:${execution}` : ''}`;
  if (booking.cash !== 0 || booking.holdings !== 0 || booking.realized !== 0) {
    await postTransaction(trx, {
      deploymentId,
      kind: isLate ? 'correction' : 'holding',
      cause,
      at,
      entries: [
        { account: 'cash', amount: booking.cash },
        { account: 'holdings', amount: booking.holdings },
        { account: 'realized', amount: booking.realized },
      ],
    });
  }
  const change = react(standing, { type: 'holding', at, event, entitled }, context);
  const told = { event, entitled, realized, night, cause, isLate };
  const notices = holdingNotices(standing.record, told, context);
  await writeChanges(trx, [{ ...change, notifications: [...change.notifications, ...notices] }]);
}
