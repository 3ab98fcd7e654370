import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createPacer, type Priority } from './pacer.ts';

const pacing = { requestsPerSecond: 2, spacingMs: { '/slow': 1_000 }, penaltyMs: 10_000 };

describe('the pacing budget', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: 0 });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('lets cancellations pass first, then liquidations, looks, and new exposure last', async () => {
    const pacer = createPacer(pacing, { until: 0 }, Date.now);
    const order: Priority[] = [];
    const ask = (priority: Priority) => void pacer.admit('/x', priority).then(() => order.push(priority));
    await Promise.all([pacer.admit('/x', 'open'), pacer.admit('/x', 'open')]);
    ask('open');
    ask('reconcile');
    ask('liquidate');
    ask('cancel');
    await vi.advanceTimersByTimeAsync(5_000);
    expect(order).toEqual(['cancel', 'liquidate', 'reconcile', 'open']);
  });

  it('never admits more than the rate allows', async () => {
    const pacer = createPacer(pacing, { until: 0 }, Date.now);
    let admitted = 0;
    for (let i = 0; i < 20; i++) void pacer.admit('/x', 'open').then((yes) => (admitted += yes ? 1 : 0));
    await vi.advanceTimersByTimeAsync(4_000);
    expect(admitted).toBeLessThanOrEqual(4 * 2);
    expect(admitted).toBeGreaterThanOrEqual(7);
  });

  it('lets no second hold more than the rate, not even the first', async () => {
    const pacer = createPacer({ ...pacing, requestsPerSecond: 10 }, { until: 0 }, Date.now);
    const at: number[] = [];
    for (let i = 0; i < 50; i++) void pacer.admit('/x', 'open').then(() => at.push(Date.now()));
    await vi.advanceTimersByTimeAsync(6_000);
    expect(at).toHaveLength(50);
    for (const start of at)
      expect(at.filter((one) => one >= start && one < start + 1_000).length).toBeLessThanOrEqual(10);
  });

  it('keeps calls of one kind apart without holding up the others', async () => {
    const pacer = createPacer({ ...pacing, requestsPerSecond: 100 }, { until: 0 }, Date.now);
    const at: number[] = [];
    for (let i = 0; i < 3; i++) void pacer.admit('/slow', 'reconcile').then(() => at.push(Date.now()));
    expect(await pacer.admit('/fast', 'open')).toBe(true);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(at).toHaveLength(3);
    expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThanOrEqual(1_000);
  });

  it('admits nothing while the vendor punishes the address', async () => {
    const box = { until: 10_000 };
    const pacer = createPacer(pacing, box, Date.now);
    expect(await pacer.admit('/x', 'cancel')).toBe(false);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await pacer.admit('/x', 'cancel')).toBe(true);
  });
});
