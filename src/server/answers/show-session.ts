import type { BrokerSession } from '#contract/brokerage.ts';
import type { SessionRow } from '#records/brokerage/broker-sessions.ts';
import { sessionText } from '#rules/brokerage/session-state.ts';

/** The known state of the connection, with its meaning in words. */
export function showSession(row: SessionRow | null, brokerName: string): BrokerSession | null {
  if (row === null) return null;
  const { title, meaning, nextStep } = sessionText(row.state, brokerName);
  return {
    state: row.state,
    title,
    meaning,
    next_step: nextStep,
    since: timeOf(row.since),
    until: timeOf(row.until),
    reconciled_at: timeOf(row.reconciled_at),
  };
}

function timeOf(text: string | null): string | null {
  return text === null ? null : new Date(text).toISOString();
}
