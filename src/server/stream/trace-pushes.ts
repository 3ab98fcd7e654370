// The last stage of the chain: a fill that was booked is on the streams of its owner.
import { NO_TRACING, pushPlace } from '#ports/tracing.ts';
import { findTracedOrders } from '#records/execution/traced-orders.ts';
import type { StreamedFill } from '#records/notifications/stream.ts';
import type { Instant } from '#units/instant.ts';
import { parseWallInstant, wallInstantOf } from '#units/wall-instant.ts';
import type { Dependencies } from '../http/dependencies.ts';

/** Seconds from each booking until now. The clocks of two machines may differ by a little: never below zero. */
export function pushSeconds(fills: readonly StreamedFill[], now: Instant): readonly number[] {
  return fills.map(({ bookedAt }) => Math.max(0, now - bookedAt.getTime()) / 1_000);
}

/** Reads nothing unless it is traced. */
export async function tracePushes(
  { tracing = NO_TRACING, records, logger }: Pick<Dependencies, 'tracing' | 'records' | 'logger'>,
  fills: readonly StreamedFill[],
  now: Instant,
): Promise<void> {
  if (!tracing.isOn || fills.length === 0) return;
  try {
    const orders = await findTracedOrders(
      records.database,
      fills.map(({ orderId }) => orderId),
    );
    for (const fill of fills) {
      const order = orders.get(fill.orderId);
      if (order === undefined) continue;
      const until = wallInstantOf(now);
      const bookedAt = parseWallInstant(fill.bookedAt);
      const from = fill.bookedAt.getTime() > now ? until : bookedAt;
      tracing.trace({ ...pushPlace(order, fill), from, until });
    }
  } catch (error) {
    if (logger) logger.warn({ err: error }, 'the fills on streams were not traced');
  }
}
