import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { tradingDeployment } from '#tests/support/engine/deployment-snapshot.ts';
import { drawdownPercent } from '../../risk/freeze.ts';
import type { DeploymentId } from '#units/identifiers.ts';
import { parseInstant } from '#units/instant.ts';
import { add, type Micro, micro, subtract, toMicro, ZERO_MICRO } from '#units/money.ts';
import { flowPosting, timeWeightedReturn, withFlow } from './apply-flow.ts';
import { FLOW_KINDS } from './flow.ts';

const cents = (least: number, most: number) =>
  fc.integer({ min: least, max: most }).map((value) => micro(value * 10_000) as Micro);
const step = fc.record({
  /** The value is multiplied by it first. */
  growth: fc.integer({ min: 50, max: 180 }).map((percent) => percent / 100),
  kind: fc.constantFrom(...FLOW_KINDS),
  moved: cents(1, 500_000),
});

it('changes neither the return nor the drawdown, and keeps the books whole, after any series', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      let record = tradingDeployment({ cash: toMicro(10_000) });
      let growth = 1;
      for (const { growth: factor, kind, moved } of steps) {
        const equity = micro(Math.round(record.equity * factor));
        const gained = subtract(equity, record.equity);
        growth *= equity / record.equity;
        record = {
          ...record,
          cash: add(record.cash, gained),
          realized: add(record.realized, gained),
          equity,
          peakEquity: micro(Math.max(record.peakEquity, equity)),
        };
        if (kind === 'withdrawal' && moved > equity - 10_000_000) continue;
        const asked = kind === 'withdrawal' ? { ...record, withdrawing: moved } : record;
        const after = withFlow(asked, { kind, requested: moved }, moved);
        expect(after.equity).toBe(add(after.investment, after.realized));
        expect(after.cash).toBe(after.equity);
        expect(after.withdrawing).toBe(ZERO_MICRO);
        expect(after.appliedTargetId).toBeNull();
        expect(timeWeightedReturn(after)).toBeCloseTo(timeWeightedReturn(record), 3);
        expect(drawdownPercent(after.peakEquity, after.equity)).toBeCloseTo(
          drawdownPercent(record.peakEquity, record.equity),
          3,
        );
        record = after;
      }
      expect(timeWeightedReturn(record) / 100 + 1).toBeCloseTo(growth, 3);
    }),
  );
});

it('is one balanced transaction that names its request', () => {
  const at = parseInstant('2026-03-02T15:00:00Z');
  const flow = { id: 'F', deploymentId: 'D' as DeploymentId, kind: 'withdrawal' } as const;
  expect(flowPosting(flow, toMicro(5), at)).toEqual({
    deploymentId: 'D',
    kind: 'flow',
    cause: 'withdrawal:F',
    at,
    entries: [
      { account: 'cash', amount: toMicro(-5) },
      { account: 'capital', amount: toMicro(5) },
    ],
  });
});
