// Judges the closed days of all deployments of a calendar by their rows: whether live returns are still no worse than the
// published ones. A day is judged once, whatever crashes or runs again: the state names the last day that it has seen.
import { type Judgement, judgeDay } from '#engine/expectation/judge-day.ts';
import { previousSession } from '#engine/market/calendar.ts';
import { heldCalendar } from '#engine/market/calendar-exceptions.ts';
import type { CalendarId } from '#engine/market/instrument.ts';
import {
  type JudgedDeployment,
  listUnjudged,
  lockJudged,
  saveJudgements,
} from '#records/expectation/tripwire-evidence.ts';
import { insertNotifications, type NewNotification } from '#records/notifications/notifications-outbox.ts';
import type { NotificationId } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import { runInBatches } from '../rebalance/run-in-batches.ts';
import type { TradingContext } from '../trading-context.ts';

/** By calendar: the close that was judged last. */
export type JudgedDays = Map<CalendarId, Instant>;

/** Each close once, after the day's rows are written; the memory only spares the question. */
export async function judgeClosedDays(context: TradingContext, judged: JudgedDays): Promise<void> {
  const calendars = new Set([...context.versions.values()].map(({ calendar }) => calendar));
  for (const calendar of calendars) {
    const { closesAt } = previousSession(heldCalendar(calendar, context.exceptions), context.now);
    if (judged.get(calendar) === closesAt) continue;
    await judgeClosedDay(context, calendar);
    judged.set(calendar, closesAt);
  }
}

async function judgeClosedDay(context: TradingContext, calendar: CalendarId): Promise<void> {
  const { date: until } = previousSession(heldCalendar(calendar, context.exceptions), context.now);
  const versions = [...context.versions.values()].filter((version) => version.calendar === calendar);
  if (versions.length === 0) return;
  const ids = await listUnjudged(
    context.database,
    versions.map(({ id }) => id),
    { until, shards: context.lease.shards },
  );
  await runInBatches(context, {
    task: 'tripwire',
    ids,
    isTrading: false,
    work: async (trx, batch, { now, newId, lease }) => {
      const deployments = await lockJudged(trx, batch, until);
      await lease.fence(
        trx,
        deployments.map(({ connectionId }) => connectionId),
      );
      const judged = deployments.map((before) => ({ before, after: judge(before) }));
      await saveJudgements(trx, judged, now);
      await insertNotifications(
        trx,
        judged.flatMap(({ before, after }) =>
          noticesOf(before, after, now).map((notice) => ({ ...notice, id: newId() as NotificationId })),
        ),
      );
    },
  });
}

function judge({ judgement, days, published }: JudgedDeployment): Judgement {
  return days.reduce((before, day) => judgeDay(before, day, published), judgement);
}

/** Of a state that was turned to. Each amber names its day: one that has ended may come again. */
function noticesOf(
  before: JudgedDeployment,
  after: Judgement,
  at: Instant,
): readonly Omit<NewNotification, 'id'>[] {
  const { id, userId, strategyName, choice, acknowledged, judgement } = before;
  const { state, last } = after;
  if (state === judgement.state || state === 'green') return [];
  const { days } = after.evidence;
  const about = { userId, deploymentId: id, at };
  return state === 'amber'
    ? [
        {
          ...about,
          cause: `tripwire_amber:${id}:${last!.date}`,
          facts: { kind: 'tripwire_amber', strategyName, days },
        },
      ]
    : [
        {
          ...about,
          cause: `tripwire_red:${id}:${acknowledged}`,
          facts: { kind: 'tripwire_red', strategyName, days, choice },
        },
      ];
}
