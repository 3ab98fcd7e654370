// The operations desk as an operator meets it: over HTTP, with a trader, the review of every minute, and the alarms that
// leave the product by mail and webhook.
import type { Incident } from '#contract/operations/incident.ts';
import type { InstrumentKind } from '#engine/market/instrument.ts';
import type { IncidentKind } from '#engine/incidents/incident-kind.ts';
import { alarmHandler } from '#server/mail/deliver-alarm.ts';
import { reviewIncidents } from '#server/operations/review-incidents.ts';
import { adjustmentsDesk } from '#tests/support/adjustments-desk.ts';
import { deliverMails } from '#tests/support/deliver-mails.ts';
import { runJobs } from '#tests/support/run-jobs.ts';
import { instant } from '#units/instant.ts';
import { wallText } from '#units/wall-instant.ts';

const OPERATOR = 'night@example.test';

/** What `order-drill.test.ts` drills; `drill.test.ts` drills every other kind. */
export const ORDER_DRILL: readonly IncidentKind[] = [
  'exit_waits_for_stop',
  'exit_waits_for_order',
  'order_unconfirmed',
  'question_declined',
  'cash_unexplained',
];

/** What `decided-drill.test.ts` drills. */
export const DECIDED_DRILL: readonly IncidentKind[] = [
  'position_unprotected',
  'row_unread',
  'instrument_unsure',
  'commission_missing',
];

export async function drillDesk(stopKinds: readonly InstrumentKind[] = []) {
  const own = await adjustmentsDesk(stopKinds);
  const { app, world, desk } = own;
  const { dependencies, records } = app;
  const posted: { readonly id: string; readonly event: string; readonly kind: IncidentKind }[] = [];
  const handler = alarmHandler({
    ...dependencies,
    operatorEmail: OPERATOR,
    alarmReceiver: {
      async send({ id, body }) {
        const { event, kind } = JSON.parse(body) as { event: string; kind: IncidentKind };
        posted.push({ id, event, kind });
        return { outcome: 'taken' };
      },
    },
  });
  const incidents = async (kind: IncidentKind): Promise<readonly Incident[]> =>
    (await desk()).incidents.results.filter((one) => one.kind === kind);
  return {
    ...own,
    incidents,
    /** The only open incident of the kind. */
    async incident(kind: IncidentKind): Promise<Incident> {
      const [found, ...more] = await incidents(kind);
      if (found === undefined || more.length > 0)
        throw new Error(`${more.length + (found ? 1 : 0)} of ${kind}`);
      return found;
    },
    /** What a worker does every minute, and every alarm that it sends: by event and kind. */
    async review(): Promise<{ readonly posted: readonly string[]; readonly mailed: readonly string[] }> {
      const now = instant(Date.parse(wallText(world.realNow())));
      await reviewIncidents({ records, now: () => now });
      await runJobs(records.database, { queue: 'alarms', handler });
      await deliverMails(dependencies);
      const mails = app.world.mails.splice(0).filter(({ to }) => to === OPERATOR);
      return {
        posted: posted.splice(0).map(({ event, kind }) => `${event} ${kind}`),
        mailed: mails.map(({ subject }) => subject.replace('Bellwether: ', '')),
      };
    },
  };
}
