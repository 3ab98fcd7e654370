import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { OrderId, Symbol } from '#units/identifiers.ts';
import { type Instant, instant, MINUTE_MS } from '#units/instant.ts';
import { toQuantity } from '#units/quantity.ts';
import { MONDAY, openOrder } from '#tests/support/engine/open-order.ts';
import {
  afterGap,
  afterReconciliation,
  afterRefusal,
  afterReport,
  afterUnlisted,
  NEW_SESSION,
  type SessionHealth,
  stateOfFailure,
  stateOfSession,
} from './session-health.ts';
import { wallInstantOf } from '#units/wall-instant.ts';

const ID = '1' as OrderId;
const after = (minutes: number): Instant => instant(MONDAY + minutes * MINUTE_MS);

type Happened = 'reconciled' | 'gap' | 'refused' | 'missed';

function happen(health: SessionHealth, what: Happened, now: Instant): SessionHealth {
  if (what === 'reconciled')
    return afterReconciliation(health, { brokerNow: wallInstantOf(now), realNow: wallInstantOf(now) });
  if (what === 'gap') return afterGap(health);
  if (what === 'refused') return afterRefusal(afterGap(health), wallInstantOf(now)).health;
  return afterUnlisted(health, ID, { type: 'miss', since: wallInstantOf(now) });
}

const histories = fc.array(fc.constantFrom<Happened>('reconciled', 'gap', 'refused', 'missed'), {
  maxLength: 20,
});

it('counts as reconciled since the first full look after the last gap, and nothing seen before a gap counts', () => {
  fc.assert(
    fc.property(histories, (history) => {
      let health: SessionHealth = { ...NEW_SESSION, held: new Map([['AAA' as Symbol, 1]]) };
      for (const [minute, what] of history.entries()) health = happen(health, what, after(minute));
      const gap = history.findLastIndex((what) => what === 'gap' || what === 'refused');
      const look = history.findIndex((what, i) => i > gap && what === 'reconciled');
      expect(health.reconciledSince).toBe(look === -1 ? null : after(look));
      const missed = history.findLastIndex((what) => what === 'missed');
      expect(health.missedSince.get(ID)).toBe(missed > gap ? after(missed) : undefined);
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

it('misses an order from the first look that did not show it, until a report shows it', () => {
  const order = openOrder({ id: ID, status: 'working' });
  const missed = afterUnlisted(NEW_SESSION, ID, { type: 'miss', since: wallInstantOf(after(1)) });
  expect(afterUnlisted(missed, ID, { type: 'none' })).toBe(missed);
  expect(afterUnlisted(missed, ID, { type: 'forget' }).missedSince.size).toBe(0);
  const report = { status: 'working', filled: toQuantity(0) } as const;
  expect(afterReport(missed, { order, report, now: after(2) }).missedSince.size).toBe(0);
});

it('remembers since when the executions of a stop are missing; those of another order count from its day', () => {
  const report = { status: 'filled', filled: toQuantity(10) } as const;
  const stop = openOrder({ id: ID, status: 'working', purpose: 'protective' });
  const first = afterReport(NEW_SESSION, { order: stop, report, now: after(1) });
  const second = afterReport(first, { order: stop, report, now: after(9) });
  expect(second.executionsMissingSince.get(ID)).toBe(after(1));
  const order = openOrder({ id: ID, status: 'working' });
  expect(afterReport(NEW_SESSION, { order, report, now: after(1) }).executionsMissingSince.size).toBe(0);
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
