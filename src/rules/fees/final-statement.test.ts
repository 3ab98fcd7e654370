import { expect, test } from 'vitest';
import { parseInstant } from '#units/instant.ts';
import { toMicro } from '#units/money.ts';
import { finalStatementLines, finalSums } from './final-statement.ts';

const STATEMENT = {
  strategyName: 'Compass Trend',
  began: parseInstant('2026-03-02T14:30:00.000Z'),
  ended: parseInstant('2026-05-04T20:00:00.000Z'),
  paidIn: toMicro(12_000),
  paidOut: toMicro(2_000),
  realized: toMicro(1_040),
  commission: toMicro(40),
  trades: 31,
  fee: toMicro(300),
  credited: toMicro(15),
  paid: toMicro(200),
  isBilled: true,
};

test('what is left and kept is what went in, less what went out, and what it made', () => {
  expect(finalSums(STATEMENT)).toEqual({ left: toMicro(11_000), kept: toMicro(10_715), owed: toMicro(85) });
});

test('what was paid before a credit is owed to the client', () => {
  const lines = finalStatementLines({ ...STATEMENT, paid: toMicro(300) });
  expect(lines).toContainEqual({ label: 'Owed to you', value: '$15' });
  expect(lines).toContainEqual({ label: 'Left after all fees', value: '$10,715' });
});
