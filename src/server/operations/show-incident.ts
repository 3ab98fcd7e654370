import type { Incident } from '#contract/operations/incident.ts';
import { canLookAgain, runbookAnchor } from '#engine/incidents/incident-kind.ts';
import type { OpenIncident } from '#records/incidents/open-incidents.ts';
import { failureQuote } from '#rules/reasons/failure-quote.ts';
import { incidentText } from '#rules/reasons/incident-reason.ts';
import { fromMicro, parseMicro } from '#units/money.ts';

export function showIncident(incident: OpenIncident): Incident {
  const { id, kind, severity, move, subject, symbol, facts } = incident;
  const { title, what, next } = incidentText(incident);
  return {
    id,
    kind,
    severity,
    whose_move: move,
    title,
    meaning: what,
    next_step: next,
    runbook: runbookAnchor(kind),
    subject,
    symbol,
    account: incident.accountId,
    broker_name: incident.brokerName,
    clients: [...incident.clients],
    strategies: [...incident.strategies],
    deployments: incident.deployments,
    equity: fromMicro(parseMicro(incident.equityMicro)),
    exits_waiting: incident.exitsWaiting,
    quote: typeof facts.said === 'string' ? quoteOf(kind, facts.said) : null,
    since: incident.since.toISOString(),
    last_seen_at: incident.lastSeenAt.toISOString(),
    note: showNote(incident),
    can_look_again: canLookAgain(kind),
  };
}

function showNote({ note, notedBy, notedAt }: OpenIncident): Incident['note'] {
  if (note === null || notedBy === null || notedAt === null) return null;
  return { text: note, by: notedBy, at: notedAt.toISOString() };
}

/** A row that cannot be read is shown as the broker sent it: it is the evidence. */
function quoteOf(kind: OpenIncident['kind'], said: string): string | null {
  return kind === 'row_unread' || kind === 'instrument_unsure' ? said : failureQuote(said);
}
