import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { BrokerConnectionId } from '#units/identifiers.ts';
import { SECOND_MS } from '#units/instant.ts';
import { MONDAY } from '../../../../tests/support/engine/open-order.ts';
import {
  connectionsToAct,
  connectionsToReconcile,
  idleAfterFailure,
  isKeepAliveDue,
  keepsSession,
} from './connection-turns.ts';
import { wallAfter, wallInstantOf } from '#units/wall-instant.ts';

const START = wallInstantOf(MONDAY);

const connections = fc
  .uniqueArray(fc.constantFrom('C1', 'C2', 'C3', 'C4'))
  .map((ids) => ids.map((id) => ({ id: id as BrokerConnectionId })));

it('gives each connection one turn: those with orders to send first, then those with orders there', () => {
  fc.assert(
    fc.property(connections, connections, connections, (toSend, open, mismatched) => {
      const turns = connectionsToAct(toSend, open, mismatched).map(({ id }) => id);
      expect(new Set(turns).size).toBe(turns.length);
      expect(turns.slice(0, toSend.length)).toEqual(toSend.map(({ id }) => id));
      for (const { id } of [...open, ...mismatched]) expect(turns).toContain(id);
    }),
  );
});

it('reconciles each connection that is due once, those with an open order first', () => {
  fc.assert(
    fc.property(connections, connections, (open, all) => {
      const isDue = (id: string) => id !== 'C1';
      const turns = connectionsToReconcile(open, all, ({ id }) => isDue(id)).map(({ id }) => id);
      const first = open.map(({ id }) => id).filter(isDue);
      expect(turns.slice(0, first.length)).toEqual(first);
      expect(turns.toSorted()).toEqual(
        [...new Set([...open, ...all].map(({ id }) => id))].filter(isDue).toSorted(),
      );
    }),
  );
});

it('keeps a session alive about once a minute, and one whose stream is heard about every two', () => {
  const isDue = (seconds: number, isStreamed: boolean) =>
    isKeepAliveDue(START, wallAfter(START, seconds * SECOND_MS), { isStreamed });
  expect([isDue(54, false), isDue(55, false)]).toEqual([false, true]);
  expect([isDue(114, true), isDue(115, true)]).toEqual([false, true]);
  // A clock that was set back.
  expect(isDue(-1, true)).toBe(true);
});

it('keeps a session that yielded to another program, and waits longer where a person must act', () => {
  expect((['connected', 'competing', 'lost', 'signed_out', null] as const).map(keepsSession)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
  expect(idleAfterFailure('read_only')).toBeGreaterThan(idleAfterFailure('lost'));
});
