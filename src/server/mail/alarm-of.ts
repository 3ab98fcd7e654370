import type { OpenIncident } from '#records/incidents/open-incidents.ts';
import type { Alarm, AlarmEvent } from '#rules/notifications/alarm-text.ts';
import { parseMicro } from '#units/money.ts';

export function alarmOf(incident: OpenIncident, event: AlarmEvent, publicUrl: string): Alarm {
  const { id, kind, facts, accountId, symbol, deployments, equityMicro, exitsWaiting, since } = incident;
  return {
    event,
    kind,
    facts,
    account: accountId,
    symbol,
    deployments,
    equity: parseMicro(equityMicro),
    exitsWaiting,
    since: `${since.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    link: `${publicUrl}/operations#incident-${id}`,
  };
}
