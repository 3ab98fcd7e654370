import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Symbol } from '#units/identifiers.ts';
import { type Instant, instant, MINUTE_MS } from '#units/instant.ts';
import { MONDAY } from '#tests/support/engine/open-order.ts';
import {
  afterGap,
  afterReconciliation,
  afterRefusal,
  NEW_SESSION,
  type SessionHealth,
  stateOfFailure,
  stateOfSession,
} from './session-health.ts';
import { wallInstantOf } from '#units/wall-instant.ts';

const after = (minutes: number): Instant => instant(MONDAY + minutes * MINUTE_MS);

type Happened = 'reconciled' | 'gap' | 'refused';

function happen(health: SessionHealth, what: Happened, now: Instant): SessionHealth {
  if (what === 'reconciled')
    return afterReconciliation(health, { brokerNow: wallInstantOf(now), realNow: wallInstantOf(now) });
  if (what === 'gap') return afterGap(health);
  return afterRefusal(afterGap(health), wallInstantOf(now)).health;
}

const histories = fc.array(fc.constantFrom<Happened>('reconciled', 'gap', 'refused'), {
  maxLength: 20,
});

it('counts as reconciled since the first full look after the last gap, and forgets what the account held', () => {
  fc.assert(
    fc.property(histories, (history) => {
      let health: SessionHealth = { ...NEW_SESSION, held: new Map([['AAA' as Symbol, 1]]) };
      for (const [minute, what] of history.entries()) health = happen(health, what, after(minute));
      const gap = history.findLastIndex((what) => what === 'gap' || what === 'refused');
      const look = history.findIndex((what, i) => i > gap && what === 'reconciled');
      expect(health.reconciledSince).toBe(look === -1 ? null : after(look));
      expect(health.held === null).toBe(gap !== -1);
    }),
  );
});

it('ends a permission at the third refusal in a row that lasts ten minutes, and a full look forgives all', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 8 }), (pauses) => {
      let health = NEW_SESSION;
      let minute = 0;
      for (const [i, pause] of pauses.entries()) {
        const refused = afterRefusal(health, wallInstantOf(after(minute)));
        expect(refused.isRevoked).toBe(i >= 2 && minute >= 10);
        health = refused.health;
        minute += pause;
      }
      const forgiven = happen(health, 'reconciled', after(minute));
      expect(afterRefusal(forgiven, wallInstantOf(after(minute + 60))).isRevoked).toBe(false);
    }),
  );
});

it('shows what a session says of itself, and of a failure what the person can do about it', () => {
  expect((['connected', 'read_only', 'signed_out', 'closed'] as const).map(stateOfSession)).toEqual([
    'connected',
    'read_only',
    'sign_in_due',
    'degraded',
  ]);
  expect(stateOfFailure('unauthorized', 'connected')).toBe('sign_in_due');
  expect(stateOfFailure('unreachable', null)).toBe('lost');
  expect(stateOfFailure('refused', 'read_only')).toBe('read_only');
  // A session that has not been started yet calls itself read-only too.
  expect(stateOfFailure('unreadable', 'read_only')).toBe('degraded');
  expect(stateOfFailure('no_session', 'competing')).toBe('competing');
  expect(stateOfFailure('rate_limited', 'competing')).toBe('paced');
});
