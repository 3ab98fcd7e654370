import { expect, test } from 'vitest';
import { wallInstant } from '#units/wall-instant.ts';
import { SESSION_STATES } from '../execution/connection/session-state.ts';
import { connectionIncident } from './connection-incident.ts';

const after = (ms: number) =>
  Object.fromEntries(
    SESSION_STATES.map((state) => [
      state,
      connectionIncident({ state, since: wallInstant(5_000) }, wallInstant(5_000 + ms)),
    ]),
  );

test('what a person must do is an incident at once, a silence once it has lasted a minute', () => {
  const atOnce = { sign_in_due: 'connection_sign_in_due', read_only: 'connection_read_only' };
  const none = { connected: null, reset_window: null, paced: null };
  expect(after(0)).toEqual({ ...none, lost: null, degraded: null, competing: null, ...atOnce });
  expect(after(59_999)).toEqual(after(0));
  expect(after(60_000)).toEqual({
    ...none,
    ...atOnce,
    lost: 'connection_lost',
    degraded: 'connection_degraded',
    competing: 'connection_competing',
  });
});
