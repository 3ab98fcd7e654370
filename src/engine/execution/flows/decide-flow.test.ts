import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DeploymentId } from '#units/identifiers.ts';
import { DAY_MS, instant, parseInstant } from '#units/instant.ts';
import { type Micro, micro, toMicro } from '#units/money.ts';
import { DEPLOYMENT_STATUSES } from '../../lifecycle/status.ts';
import { decideFlow, type FlowFacts } from './decide-flow.ts';
import { FLOW_KINDS, FLOW_REASONS, type PendingFlow, WITHDRAWAL_DAYS } from './flow.ts';

const ASKED = parseInstant('2026-03-02T15:00:00Z');
const flow = (change: Partial<PendingFlow> = {}): PendingFlow => ({
  id: 'F',
  deploymentId: 'D' as DeploymentId,
  kind: 'withdrawal',
  requested: toMicro(4_000),
  reason: null,
  minimum: toMicro(5_000),
  repeats: null,
  requestedAt: ASKED,
  sizedAt: null,
  ...change,
});
const facts = (change: Partial<FlowFacts> = {}): FlowFacts => ({
  status: 'active',
  requestedStatus: null,
  equity: toMicro(10_000),
  free: toMicro(4_000),
  isBusy: false,
  shut: null,
  now: ASKED,
  ...change,
});

describe('a withdrawal', () => {
  it('is done when the cash is free, and waits for sales when it is not, for which positions are sized once', () => {
    expect(decideFlow(flow(), facts())).toEqual({ outcome: 'done', moved: toMicro(4_000) });
    const short = facts({ free: toMicro(100) });
    expect(decideFlow(flow(), short)).toEqual({ outcome: 'waits', reason: 'awaits_sales', sizes: true });
    expect(decideFlow(flow({ sizedAt: ASKED }), short)).toEqual({
      outcome: 'waits',
      reason: 'awaits_sales',
      sizes: false,
    });
  });

  it('takes what sales just below their price have freed, once none is under way', () => {
    const sold = { free: toMicro(3_990.126) };
    const sized = flow({ sizedAt: ASKED });
    expect(decideFlow(sized, facts({ ...sold, isBusy: true }))).toMatchObject({ outcome: 'waits' });
    expect(decideFlow(sized, facts(sold))).toEqual({ outcome: 'done', moved: toMicro(3_990.12) });
  });

  it('is sized again a day later where orders ended unfilled, and ends after a week with what is free', () => {
    const short = { free: toMicro(100) };
    const sized = flow({ sizedAt: ASKED });
    const after = (days: number) => facts({ ...short, now: instant(ASKED + days * DAY_MS) });
    expect(decideFlow(sized, after(1))).toMatchObject({ outcome: 'waits', sizes: true });
    expect(decideFlow(sized, after(WITHDRAWAL_DAYS))).toEqual({ outcome: 'done', moved: toMicro(100) });
    const nothing = { ...after(WITHDRAWAL_DAYS), free: toMicro(-3) };
    expect(decideFlow(sized, nothing)).toEqual({ outcome: 'refused', reason: 'nothing_freed' });
  });
});

const amount = (least: number, most: number) =>
  fc.integer({ min: least, max: most }).map((value) => micro(value * 1_003) as Micro);
const anyFlow = fc.record({
  kind: fc.constantFrom(...FLOW_KINDS),
  requested: amount(10, 9_000_000),
  minimum: amount(1, 9_000_000),
  sizedAt: fc.constantFrom(null, ASKED),
});
const anyFacts = fc.record({
  status: fc.constantFrom(...DEPLOYMENT_STATUSES),
  requestedStatus: fc.constantFrom(null, 'paused' as const, 'stopped' as const, 'active' as const),
  equity: amount(-1_000, 20_000_000),
  free: amount(-1_000, 20_000_000),
  isBusy: fc.boolean(),
  shut: fc.constantFrom(null, ...FLOW_REASONS),
  now: fc.integer({ min: 0, max: 9 }).map((days) => instant(ASKED + days * DAY_MS)),
});

it('never moves more than was asked for and is free, never leaves less than the minimum, and moves nothing where it must not', () => {
  fc.assert(
    fc.property(anyFlow, anyFacts, (asked, found) => {
      const decision = decideFlow(flow(asked), found);
      if (decision.outcome !== 'done') return;
      expect(['active', 'paused', 'frozen']).toContain(found.status);
      expect(found.requestedStatus).not.toBe('stopped');
      expect(decision.moved).toBeGreaterThan(0);
      expect(decision.moved).toBeLessThanOrEqual(asked.requested);
      if (asked.kind === 'deposit') {
        expect([decision.moved, found.shut, found.equity > 0]).toEqual([asked.requested, null, true]);
        expect(found.status).not.toBe('frozen');
      } else {
        expect(decision.moved).toBeLessThanOrEqual(found.free);
        expect(found.equity - decision.moved).toBeGreaterThanOrEqual(asked.minimum);
        expect(decision.moved % 10_000).toBe(0);
      }
    }),
    { numRuns: 2_000 },
  );
});

it('ends every request in time, but for money that waits for room in a full strategy', () => {
  fc.assert(
    fc.property(anyFlow, anyFacts, (asked, found) => {
      const decision = decideFlow(flow(asked), { ...found, now: instant(ASKED + WITHDRAWAL_DAYS * DAY_MS) });
      if (decision.outcome === 'waits')
        expect([asked.kind, decision.reason]).toEqual(['deposit', 'awaits_capacity']);
    }),
    { numRuns: 1_000 },
  );
});
