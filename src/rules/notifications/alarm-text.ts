// What an operator reads of incidents outside the desk: by mail, or in the alarm system that takes the webhook.
import type { IncidentFacts, IncidentKind } from '#engine/incidents/incident-kind.ts';
import type { Micro } from '#units/money.ts';
import { dollars } from '../dollars.ts';
import { PRODUCT_NAME } from '../provider.ts';
import { incidentText } from '../reasons/incident-reason.ts';
import type { MailText } from './mail-text.ts';

export type AlarmEvent = 'opened' | 'ended';

export type Alarm = {
  readonly event: AlarmEvent;
  readonly kind: IncidentKind;
  readonly facts: IncidentFacts;
  readonly account: string | null;
  readonly symbol: string | null;
  readonly deployments: number;
  readonly equity: Micro;
  readonly exitsWaiting: number;
  /** As people read it: 2026-03-05 14:31 UTC. */
  readonly since: string;
  readonly link: string;
};

/** One alarm is the subject itself; several are counted. */
export function alarmMailText(alarms: readonly Alarm[]): MailText {
  const [first] = alarms;
  const subject = alarms.length === 1 && first ? titleOf(first) : countOf(alarms);
  return {
    subject: `${PRODUCT_NAME}: ${subject}`,
    text: `${alarms.map(alarmText).join('\n\n')}\n`,
  };
}

/** The same in one line. */
export function titleOf({ event, kind, facts, account, symbol }: Alarm): string {
  const { title } = incidentText({ kind, facts });
  const where = [symbol, account].filter((one) => one !== null).join(', ');
  return `${event === 'opened' ? 'act now' : 'over'}: ${title}${where === '' ? '' : ` (${where})`}`;
}

function countOf(alarms: readonly Alarm[]): string {
  const opened = alarms.filter(({ event }) => event === 'opened').length;
  const ended = alarms.length - opened;
  const said = [opened > 0 && `${opened} to act on now`, ended > 0 && `${ended} over`];
  return said.filter((one) => one !== false).join(', ');
}

function alarmText(alarm: Alarm): string {
  const { event, kind, facts, deployments, equity, exitsWaiting, since, link } = alarm;
  if (event === 'ended') return `${titleOf(alarm)}\nIt was open since ${since}.\n${link}`;
  const { what, next } = incidentText({ kind, facts });
  const waits =
    exitsWaiting === 0 ? '' : ` ${exitsWaiting} ${exitsWaiting === 1 ? 'exit waits' : 'exits wait'}.`;
  const behind =
    deployments === 0
      ? ''
      : `\nBehind it: ${deployments} ${deployments === 1 ? 'deployment' : 'deployments'}, ${dollars(equity)}.${waits}`;
  return `${titleOf(alarm)}\n${what}\nNext: ${next}${behind}\nSince ${since}.\n${link}`;
}
