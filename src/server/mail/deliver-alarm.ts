import { randomUUID } from 'node:crypto';
import type { AlarmReceiver } from '#ports/alarm-receiver.ts';
import { findIncidents } from '#records/incidents/open-incidents.ts';
import type { JobHandler } from '#records/jobs/job-worker.ts';
import { enqueueAlarmMail } from '#records/notifications/mails.ts';
import { runbookAnchor } from '#engine/incidents/incident-kind.ts';
import { type Alarm, titleOf } from '#rules/notifications/alarm-text.ts';
import { fromMicro } from '#units/money.ts';
import type { Dependencies, ServerConfig } from '../http/dependencies.ts';
import { alarmOf } from './alarm-of.ts';

export type AlarmDependencies = Pick<Dependencies, 'records' | 'now'> & {
  readonly config: Pick<ServerConfig, 'publicUrl'>;
  /** Null where the operator wants no mail, or has no alarm system. */
  readonly operatorEmail: string | null;
  readonly alarmReceiver: AlarmReceiver | null;
};

/** Takes an alarm out of the product. The mail is an entry of the outbox, with attempts of its own. */
export function alarmHandler(dependencies: AlarmDependencies): JobHandler<'alarms'> {
  const { records, now, config, operatorEmail, alarmReceiver } = dependencies;
  const { database } = records;
  return async ({ data: { incidentId, event }, isLast }) => {
    const [incident] = await findIncidents(database, [incidentId]);
    if (incident === undefined) return 'done';
    if (operatorEmail !== null)
      await enqueueAlarmMail(database, { id: randomUUID(), to: operatorEmail, incidentId, event, at: now() });
    if (alarmReceiver === null) return 'done';
    const body = bodyOf(incidentId, alarmOf(incident, event, config.publicUrl));
    const outcome = await alarmReceiver.send({ id: `${incidentId}:${event}`, body });
    if (outcome.outcome === 'taken') return 'done';
    const { reason } = outcome;
    return isLast ? { deadLetter: 'alarm_not_taken', detail: reason } : { retry: reason };
  };
}

function bodyOf(incidentId: string, alarm: Alarm): string {
  const { event, kind, account, symbol, deployments, equity, exitsWaiting, since, link } = alarm;
  return JSON.stringify({
    event: `incident.${event}`,
    incident: incidentId,
    kind,
    title: titleOf(alarm),
    account,
    symbol,
    deployments,
    equity: fromMicro(equity),
    exits_waiting: exitsWaiting,
    since,
    link,
    runbook: runbookAnchor(kind),
  });
}
