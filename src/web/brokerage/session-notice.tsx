import type { ReactNode } from 'react';
import type { BrokerSession } from '#contract/brokerage.ts';
import { Notice } from '../kit/state/notice.tsx';
import { showDateTime } from '../kit/figure/show-figure.ts';
import { useHasLasted } from './use-has-lasted.ts';

/** The state of the broker connection when it is not connected: what it means, and what to do. */
export function SessionNotice({ session, action }: { session: BrokerSession | null; action?: ReactNode }) {
  const lasts = useHasLasted(session?.since ?? null);
  if (session === null || session.state === 'connected' || !lasts) return null;
  const { state, title, meaning, next_step, since, until, reconciled_at } = session;
  const times = [
    since && `Since ${showDateTime(since)}.`,
    until && `Expected back ${showDateTime(until)} (market time).`,
    reconciled_at && `Orders and positions were last reconciled ${showDateTime(reconciled_at)}.`,
  ].filter(Boolean);
  return (
    <Notice tone={TONES[state]} title={`Broker connection: ${title.toLowerCase()}`}>
      <p>
        {meaning} {next_step && <strong className="font-medium text-ink">{next_step}</strong>}
      </p>
      {times.length > 0 && <p className="mt-1">{times.join(' ')}</p>}
      {action && <div className="mt-3">{action}</div>}
    </Notice>
  );
}

/** In these states the person's sign-in at the broker, with a fresh permission, is the way out. */
export function needsSignIn(session: BrokerSession | null): boolean {
  return session?.state === 'sign_in_due' || session?.state === 'read_only';
}

/** A reset and a pause pass; a state that needs the user is highlighted. */
const TONES = {
  connected: 'info',
  reset_window: 'info',
  paced: 'info',
  read_only: 'caution',
  degraded: 'caution',
  competing: 'caution',
  lost: 'caution',
  sign_in_due: 'failure',
} as const;
