// Which state of a broker session is an incident, and from when: a silence only once it lasts, what a person must do at once.
import { MINUTE_MS } from '#units/instant.ts';
import { msBetween, type WallInstant } from '#units/wall-instant.ts';
import type { BrokerSessionState } from '../execution/connection/session-state.ts';

export const CONNECTION_INCIDENTS = [
  'connection_lost',
  'connection_degraded',
  'connection_sign_in_due',
  'connection_competing',
  'connection_read_only',
] as const;
export type ConnectionIncident = (typeof CONNECTION_INCIDENTS)[number];

/** Null while it works, during an announced reset, and as long as it may be a stumble. */
export function connectionIncident(
  { state, since }: { readonly state: BrokerSessionState; readonly since: WallInstant },
  now: WallInstant,
): ConnectionIncident | null {
  const rule = RULES[state];
  return rule !== null && msBetween(since, now) >= rule.afterMs ? rule.kind : null;
}

const RULES: {
  readonly [State in BrokerSessionState]: {
    readonly kind: ConnectionIncident;
    readonly afterMs: number;
  } | null;
} = {
  connected: null,
  reset_window: null,
  // A penalty has an incident of its own, for all connections behind one address.
  paced: null,
  lost: { kind: 'connection_lost', afterMs: MINUTE_MS },
  degraded: { kind: 'connection_degraded', afterMs: MINUTE_MS },
  competing: { kind: 'connection_competing', afterMs: MINUTE_MS },
  sign_in_due: { kind: 'connection_sign_in_due', afterMs: 0 },
  read_only: { kind: 'connection_read_only', afterMs: 0 },
};
