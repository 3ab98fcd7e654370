// What must be marked since the last tick: holdings whose price moved, days that have closed, and positions whose exit may
// leave now.
import { movedSymbols } from '#engine/execution/deployment/equity-mark.ts';
import { heldCalendar } from '#engine/market/calendar-exceptions.ts';
import { previousSession } from '#engine/market/calendar.ts';
import type { CalendarId, Marks } from '#engine/market/instrument.ts';
import { listNewlyAllowed } from '#records/deployments/deployment-queues.ts';
import type { Instant } from '#units/instant.ts';
import type { TradingContext } from '../trading-context.ts';
import { markClosedDay, markDeployments } from './mark.ts';

export type MarkMemory = {
  /** Those of the last tick. */
  marks: Marks;
  /** The close of the last day that was marked. */
  readonly closedDays: Map<CalendarId, Instant>;
  /** Until when the choices of owners about market data were read; null before the first time. */
  allowedAt: string | null;
};

export function createMarkMemory(): MarkMemory {
  return { marks: new Map(), closedDays: new Map(), allowedAt: null };
}

export function forgetMarks(memory: MarkMemory): void {
  memory.marks = new Map();
  memory.closedDays.clear();
}

export async function markMoved(context: TradingContext, memory: MarkMemory): Promise<void> {
  await markDeployments(context, { moved: movedSymbols(memory.marks, context.marks) });
  memory.marks = context.marks;
}

/** An exit that was declined for want of market data is decided again once its owner allows it. */
export async function markAllowed(context: TradingContext, memory: MarkMemory): Promise<void> {
  const { ids, latest } = await listNewlyAllowed(context.database, memory.allowedAt, context.lease.shards);
  memory.allowedAt = latest;
  await markDeployments(context, { ids });
}

export async function markClosedDays(context: TradingContext, { closedDays }: MarkMemory): Promise<void> {
  const calendars = new Set([...context.versions.values()].map(({ calendar }) => calendar));
  for (const calendar of calendars) {
    const { closesAt } = previousSession(heldCalendar(calendar, context.exceptions), context.now);
    if (closedDays.get(calendar) === closesAt) continue;
    await markClosedDay(context, calendar);
    closedDays.set(calendar, closesAt);
  }
}
