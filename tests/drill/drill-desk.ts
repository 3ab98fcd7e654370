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

/** What `own-drill.test.ts` drills. */
export const OWN_DRILL: readonly IncidentKind[] = [
  'deployment_failing',
  'deployment_quarantined',
  'job_dead',
  'books_differ',
  'invariant_broken',
  'payment_disputed',
  'payment_taken_back',
  'liquidation_overdue',
  'audit_unanchored',
  'audit_unsent',
  'audit_rewritten',
];

/** What `tests/trading/restored-database.test.ts` drills. */
export const RESTORE_DRILL: readonly IncidentKind[] = ['database_restored'];

/** What `tests/drill/archive-drill.test.ts` drills. */
export const ARCHIVE_DRILL: readonly IncidentKind[] = ['archive_failing'];

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
  const alarmed = new Set<IncidentKind>();
  const drilled = new Set<IncidentKind>();
  /** What the desk shows of a kind. Where it shows any, health, metrics and the runbook know of them too. */
  const incidents = async (kind: IncidentKind): Promise<readonly Incident[]> => {
    const found = (await desk()).incidents.results.filter((one) => one.kind === kind);
    if (found.length === 0 || alarmed.has(kind)) return found;
    const { body: health } = await app.request({ url: '/api/health/' });
    const counted =
      Number(health.incidents.act_now) + Number(health.incidents.today) + Number(health.incidents.watch);
    const { text: metrics } = await app.request({ url: '/api/metrics' });
    const { text: runbook } = await app.request({ url: '/api/runbook', token: own.sue.token });
    if (counted < found.length) throw new Error(`health knows of ${counted} incidents`);
    if (!new RegExp(`incidents_open\\{kind="${kind}"`).test(metrics))
      throw new Error(`no metric counts ${kind}`);
    if (!runbook.includes(`id="${found[0]!.runbook}"`))
      throw new Error(`the runbook has no ${found[0]!.runbook}`);
    alarmed.add(kind);
    return found;
  };
  /** The same real time for the API as for the trader, as it is outside of tests. */
  const atTradersTime = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const before = app.world.now;
    app.world.now = instant(Date.parse(wallText(world.realNow())));
    try {
      return await work();
    } finally {
      app.world.now = before;
    }
  };
  const say = (id: string, what: 'note' | 'look-again', body: object) =>
    atTradersTime(() =>
      app.request({
        method: 'POST',
        url: `/api/operations/incidents/${id}/${what}/`,
        token: own.sue.token,
        body,
      }),
    );
  return {
    ...own,
    incidents,
    drilled,
    /** It has been at the desk, and is no more. */
    async isOver(kind: IncidentKind): Promise<void> {
      if (!alarmed.has(kind)) throw new Error(`${kind} was never at the desk`);
      const left = await incidents(kind);
      if (left.length > 0) throw new Error(`${left.length} of ${kind} are open`);
      drilled.add(kind);
    },
    /** An operator says that the cause of these is over, and does not wait five minutes. */
    async lookAgain(kind: IncidentKind): Promise<void> {
      for (const { id, can_look_again: can } of await incidents(kind)) {
        const { status, text } = await say(id, 'look-again', { note: 'the cause is mended' });
        if (!can || status !== 204) throw new Error(`${status} ${text}`);
      }
      world.wait(40_000);
      await world.runTicks(2);
    },
    /** An operator acknowledges one by a note, and hands it over. */
    async handOver(one: Incident, move: Incident['whose_move']): Promise<Incident> {
      const { status, text } = await say(one.id, 'note', { note: 'the client knows', whose_move: move });
      if (status !== 204) throw new Error(`${status} ${text}`);
      return (await desk()).incidents.results.find(({ id }) => id === one.id)!;
    },
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
