// Books one change of a holding, once: event, ledger, position, valuation and notice.
import { bookedPositionEvent, type HappenedPositionEvent } from '#engine/end-of-day/booked-position-event.ts';
import type { MissedPayment } from '#engine/end-of-day/missed-actions.ts';
import { insertPositionEvent } from '#records/portfolio/position-events.ts';
import { bookRoundTrips, type TouchedTrips } from '#records/portfolio/round-trips.ts';
import type { Transaction } from '#records/postgres/database.ts';
import type { DeploymentId, Symbol } from '#units/identifiers.ts';
import { loadSnapshot } from '../rebalance/load-snapshots.ts';
import { saveTransitions } from '../rebalance/save-transitions.ts';
import type { TradingContext } from '../trading-context.ts';

/** 'nothing' when it was applied before, or when there is no holding to change. */
export async function bookPositionEvent(
  trx: Transaction,
  context: TradingContext,
  deploymentId: DeploymentId,
  happened: HappenedPositionEvent,
): Promise<'booked' | 'nothing'> {
  const { event, entitled, sessionDate: date, execution } = happened;
  const snapshot = await loadSnapshot(trx, deploymentId, context);
  const booked = bookedPositionEvent(snapshot, happened, context);
  if (booked === null) return 'nothing';
  const { realized, transition } = booked;
  const record = { deploymentId, date, event, entitled, realized, at: context.now, execution };
  const held = snapshot.state.portfolio.positions.get(event.symbol);
  if ((await insertPositionEvent(trx, record, held)) === 'repeated') return 'nothing';
  await saveTransitions(trx, context, [transition]);
  const touched = touchedTrips(happened).map((one) => ({ deploymentId, ...one }));
  await bookRoundTrips(trx, touched, context.instruments);
  return 'booked';
}

/** Of its own instrument, and of the shares of a delivery. */
function touchedTrips({
  event,
  execution,
}: HappenedPositionEvent): readonly Omit<TouchedTrips, 'deploymentId'>[] {
  // What makes up for something later may belong to a round trip that has closed since.
  const from =
    execution === '' || event.type === 'coin_fee' || event.type === 'assignment' ? 'newest' : 'all';
  const own = { symbol: event.symbol, from } as const;
  return event.type === 'exercise' || event.type === 'assignment'
    ? [own, { symbol: event.underlying, from }]
    : [own];
}

/** Of a trade that the books learned of after those sessions; `execution` as in HappenedPositionEvent. */
export async function bookMissedPayments(
  trx: Transaction,
  context: TradingContext,
  deploymentId: DeploymentId,
  {
    symbol,
    missed,
    execution,
  }: { readonly symbol: Symbol; readonly missed: readonly MissedPayment[]; readonly execution: string },
): Promise<void> {
  for (const { type, sessionDate, perUnit, entitled } of missed) {
    const event = { type, symbol, perUnit, markAfter: UNCHANGED } as const;
    await bookPositionEvent(trx, context, deploymentId, { event, entitled, sessionDate, execution });
  }
}

/** The current price has long been quoted ex-dividend. */
const UNCHANGED = 0;
