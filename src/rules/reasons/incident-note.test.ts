import { expect, test } from 'vitest';
import { INCIDENT_KINDS, type IncidentKind } from '#engine/incidents/incident-kind.ts';
import { incidentNote } from './incident-note.ts';

const noted = (kinds: readonly IncidentKind[]) => kinds.map((kind) => ({ kind, symbol: null }));

test('the owner reads the first incident that concerns them, without our tasks and codes', () => {
  expect(incidentNote(noted(['trader_silent', 'order_unconfirmed', 'position_unprotected']))).toMatch(
    /outcome of an order/,
  );
  expect(incidentNote(noted(['trader_silent']))).toBeNull();
  for (const kind of INCIDENT_KINDS) expect(incidentNote(noted([kind])) ?? '').not.toMatch(/task|_/);
});

test('a doubt about prices names the instruments, at most four, or three and how many more', () => {
  const doubts = (...symbols: string[]) =>
    incidentNote(symbols.map((symbol) => ({ kind: 'price_doubted' as const, symbol })));
  expect(doubts('SPY')).toContain('the price of SPY.');
  expect(doubts('SPY', 'QQQ', 'SPY')).toContain('the price of SPY and QQQ.');
  expect(doubts('A', 'B', 'C', 'D')).toContain('the price of A, B, C and D.');
  expect(doubts('A', 'B', 'C', 'D', 'E')).toContain('the price of A, B, C and 2 more.');
  expect(incidentNote(noted(['price_doubted']))).toContain('the price of an instrument of this strategy.');
});
