// Applies the end of a session to each holder, in one transaction per holder.
import { type ClosingPosition, endOfDayEvents } from '#engine/end-of-day/end-of-day-events.ts';
import type { SessionCloses } from '#engine/end-of-day/session-closes.ts';
import { type Holder, type Holdings, splitHolders } from '#engine/end-of-day/session-holders.ts';
import { isDelivery, type PositionEvent } from '#engine/market/position-event.ts';
import { loadTradingDeployments } from '#records/deployments/trading-deployments.ts';
import { listHoldersAt } from '#records/portfolio/position-events.ts';
import type { DeploymentId } from '#units/identifiers.ts';
import { LeaseLost } from '../lease-lost.ts';
import { isDatabaseAway } from '../rebalance/run-in-batches.ts';
import { noteProblem, type TradingContext } from '../trading-context.ts';
import { bookPositionEvent } from './book-position-event.ts';

/** The deployments that failed and will be retried. */
export async function applySession(
  context: TradingContext,
  closed: SessionCloses,
  holders: readonly Holder[],
): Promise<ReadonlySet<DeploymentId>> {
  const { options, others, heldByOptionHolders: holdings } = splitHolders(holders);
  const awaited = new Set<DeploymentId>();
  const apply = async (holder: Holder) => {
    const events = await tryHolder(context, closed, holder, holdings);
    if (events === 'awaited') awaited.add(holder.deploymentId);
    return events !== 'awaited' && events.some(isDelivery);
  };
  // Options first: the holders of the shares that evening are known once they are delivered.
  let isDelivered = false;
  for (const holder of options) isDelivered = (await apply(holder)) || isDelivered;
  const rest = isDelivered
    ? splitHolders(await listHoldersAt(context.database, closed.closedAt, context.lease)).others
    : others;
  for (const holder of rest) await apply(holder);
  return awaited;
}

/**
 * A failure of one deployment affects no other. It is retried until the deployment is in quarantine; then
 * the session counts as processed without it, and people correct what it missed.
 */
async function tryHolder(
  context: TradingContext,
  closed: SessionCloses,
  holder: Holder,
  holdings: Holdings,
): Promise<readonly PositionEvent[] | 'awaited'> {
  const { deploymentId: id, symbol } = holder;
  const failing = { task: 'end-of-day', symbol } as const;
  try {
    const events = await applyToHolder(context, closed, holder, holdings);
    context.circuitBreaker.succeeded(id, failing);
    return events;
  } catch (error) {
    if (error instanceof MissingClose || error instanceof LeaseLost || isDatabaseAway(error)) throw error;
    noteProblem(
      context,
      `end-of-day processing of ${symbol} after ${closed.date} of deployment ${id}`,
      error,
      { kind: 'deployment_failing', subject: id, deploymentId: id, symbol, task: 'end-of-day' },
    );
    const [record] = await loadTradingDeployments(context.database, [id], 'unlocked');
    if (record?.status === 'failed') return [];
    context.circuitBreaker.failed(id, failing);
    return 'awaited';
  }
}

/** In one transaction, with the holding by all bookings so far. Earlier applications stay. */
async function applyToHolder(
  context: TradingContext,
  closed: SessionCloses,
  listed: Holder,
  holdings: Holdings,
): Promise<readonly PositionEvent[]> {
  const { deploymentId, symbol } = listed;
  if (eventsOf(listed, closed, holdings).length === 0) return [];
  const present = await context.atPresent();
  return present.database.transaction().execute(async (trx) => {
    await loadTradingDeployments(trx, [deploymentId], 'for update');
    const held = await listHoldersAt(trx, closed.closedAt, { deploymentId });
    const holder = held.find((one) => one.symbol === symbol);
    if (holder === undefined) return [];
    const { entitled } = holder;
    const events = eventsOf(holder, closed, holdings);
    const happened = { entitled, sessionDate: closed.date, execution: '' };
    for (const event of events) await bookPositionEvent(trx, present, deploymentId, { event, ...happened });
    return events;
  });
}

/** Affects every holder: the session is retried. */
class MissingClose extends Error {}

function eventsOf(
  { symbol, deploymentId, entitled }: Holder,
  closed: SessionCloses,
  holdings: Holdings,
): readonly PositionEvent[] {
  const heldOf: ClosingPosition['heldOf'] = (other) => holdings.get(deploymentId)?.get(other);
  const { events, missingClose } = endOfDayEvents({ symbol, held: entitled, heldOf }, closed);
  if (events === null) throw new MissingClose(`${missingClose} has no price at the close of ${closed.date}`);
  return events;
}
