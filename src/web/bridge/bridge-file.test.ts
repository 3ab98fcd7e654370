import { expect, it } from 'vitest';
import { BRIDGE_STEPS, type BridgeDay } from '#engine/bridge/return-bridge.ts';
import type { IsoDate } from '#units/instant.ts';
import { toMicro, ZERO_MICRO } from '#units/money.ts';
import { bridgeFile } from './bridge-file.ts';

it('has a row for each day and a column for each cause', () => {
  const none = Object.fromEntries(BRIDGE_STEPS.map((step) => [step, ZERO_MICRO])) as BridgeDay['steps'];
  const day: BridgeDay = {
    date: '2026-01-05' as IsoDate,
    invested: toMicro(1000),
    published: toMicro(1010.5),
    steps: { ...none, commission: toMicro(-1.25), income: toMicro(0.5) },
    mine: toMicro(1009.75),
  };
  const [head, row, rest] = bridgeFile([day]).split('\r\n');
  expect(head).toContain('Day,Invested,Published,Your start date,');
  expect(head).toContain('"Orders at another time, or not at all"');
  expect(row).toBe('2026-01-05,1000.00,1010.50,0.00,0.00,0.00,0.00,0.00,-1.25,0.00,0.50,0.00,0.00,1009.75');
  expect(rest).toBe('');
});
