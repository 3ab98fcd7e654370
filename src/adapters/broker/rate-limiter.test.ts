import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Exchange } from './exchange.ts';
import type { Priority } from './rate-limits.ts';
import { createRateLimiter, type RateLimiter, type SharedRateLimiter } from './rate-limiter.ts';

const limits = { requestsPerSecond: 2, spacingMs: { '/slow': 1_000 }, backOffMs: 10_000 };

const NO_PENALTY = { penaltyMs: () => Promise.resolve(0), penalise: () => Promise.resolve() };

const ANSWER: Exchange = { kind: 'answered', status: 200, body: {}, text: '{}' };

/** Sends a request that is answered at once. Returns whether it was sent. */
const leave = async (limiter: RateLimiter, path: string, priority: Priority) =>
  (await limiter.run(path, priority, () => Promise.resolve(ANSWER))).kind === 'answered';

const after = (ms: number) => new Promise<Exchange>((done) => setTimeout(() => done(ANSWER), ms));

describe('the rate limiter', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: 0 });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('sends cancellations first, then liquidations, then reads, and new exposure last', async () => {
    const limiter = createRateLimiter(limits, { until: 0 }, Date.now);
    const order: Priority[] = [];
    const ask = (priority: Priority) => void leave(limiter, '/x', priority).then(() => order.push(priority));
    await Promise.all([leave(limiter, '/x', 'open'), leave(limiter, '/x', 'open')]);
    ask('open');
    ask('reconcile');
    ask('liquidate');
    ask('cancel');
    await vi.advanceTimersByTimeAsync(5_000);
    expect(order).toEqual(['cancel', 'liquidate', 'reconcile', 'open']);
  });

  it('never admits more than the rate allows', async () => {
    const limiter = createRateLimiter(limits, { until: 0 }, Date.now);
    let admitted = 0;
    for (let i = 0; i < 20; i++) void leave(limiter, '/x', 'open').then((yes) => (admitted += yes ? 1 : 0));
    await vi.advanceTimersByTimeAsync(3_990);
    expect(admitted).toBeLessThanOrEqual(4 * 2);
    expect(admitted).toBeGreaterThanOrEqual(7);
  });

  it('never exceeds the rate in any one second, including the first', async () => {
    const limiter = createRateLimiter({ ...limits, requestsPerSecond: 10 }, { until: 0 }, Date.now);
    const at: number[] = [];
    for (let i = 0; i < 50; i++) void leave(limiter, '/x', 'open').then(() => at.push(Date.now()));
    await vi.advanceTimersByTimeAsync(6_000);
    expect(at).toHaveLength(50);
    for (const start of at)
      expect(at.filter((one) => one >= start && one < start + 1_000).length).toBeLessThanOrEqual(10);
  });

  it('spaces calls of one kind without delaying the others', async () => {
    const limiter = createRateLimiter({ ...limits, requestsPerSecond: 100 }, { until: 0 }, Date.now);
    const at: number[] = [];
    for (let i = 0; i < 3; i++) void leave(limiter, '/slow', 'reconcile').then(() => at.push(Date.now()));
    expect(await leave(limiter, '/fast', 'open')).toBe(true);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(at).toHaveLength(3);
    expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThanOrEqual(1_000);
  });

  it('sends nothing while the vendor penalises the address', async () => {
    const box = { until: 10_000 };
    const limiter = createRateLimiter(limits, box, Date.now);
    expect(await leave(limiter, '/x', 'cancel')).toBe(false);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await leave(limiter, '/x', 'cancel')).toBe(true);
  });

  it('keeps the spacing that the vendor sees, even when requests arrive unevenly', async () => {
    const limiter = createRateLimiter({ ...limits, requestsPerSecond: 3 }, { until: 0 }, Date.now);
    const arrived: number[] = [];
    const slowly: number[] = [];
    for (let i = 0; i < 30; i++) {
      const path = i % 10 === 0 ? '/slow' : '/x';
      void limiter.run(path, 'reconcile', async () => {
        // Three take nearly a second to arrive, the next three arrive at once; the answers vary in delay.
        await after(Math.floor(i / 3) % 2 === 0 ? 900 : 0);
        arrived.push(Date.now());
        if (path === '/slow') slowly.push(Date.now());
        return after((i * 37) % 200);
      });
    }
    await vi.advanceTimersByTimeAsync(30_000);
    expect(arrived).toHaveLength(30);
    for (const start of arrived)
      expect(arrived.filter((one) => one >= start && one < start + 1_000).length).toBeLessThanOrEqual(3);
    expect(slowly).toHaveLength(3);
    for (const [index, at] of slowly.slice(1).entries())
      expect(at - (slowly[index] ?? 0)).toBeGreaterThanOrEqual(1_000);
  });

  it('sends a cancellation without waiting for an unresponsive vendor', async () => {
    const limiter = createRateLimiter(limits, { until: 0 }, Date.now);
    void limiter.run('/x', 'reconcile', () => after(15_000));
    void limiter.run('/x', 'reconcile', () => after(15_000));
    let cancelledAt = Number.NaN;
    void limiter.run('/x', 'cancel', () => {
      cancelledAt = Date.now();
      return Promise.resolve(ANSWER);
    });
    await vi.advanceTimersByTimeAsync(4_000);
    expect(cancelledAt).toBeLessThan(3_100);
  });

  it('backs off for all users behind the address when the vendor asks to slow down', async () => {
    const box = { until: 0 };
    const limiter = createRateLimiter(limits, box, Date.now);
    const other = createRateLimiter(limits, box, Date.now);
    await limiter.run('/x', 'open', () => Promise.resolve({ ...ANSWER, status: 429 }));
    expect(await limiter.run('/x', 'cancel', () => after(0))).toMatchObject({
      kind: 'not_sent',
      code: 'rate_limited',
    });
    expect(await leave(other, '/x', 'cancel')).toBe(false);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await leave(other, '/x', 'cancel')).toBe(true);
  });

  it('waits for a slot that another process holds, and releases its own for the next', async () => {
    const asked: string[] = [];
    let left = 1_200;
    const shared: SharedRateLimiter = {
      ...NO_PENALTY,
      acquire(path, { ms }) {
        asked.push(`acquire ${path} ${ms}`);
        const wait = left;
        left = 0;
        return Promise.resolve(wait);
      },
      release(path, ms) {
        asked.push(`release ${path} ${ms}`);
        return Promise.reject(new Error('the database is away'));
      },
    };
    const limiter = createRateLimiter(limits, { until: 0 }, Date.now, shared);
    const answer = leave(limiter, '/slow/1', 'reconcile');
    expect(await leave(limiter, '/fast', 'open')).toBe(true);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await answer).toBe(true);
    expect(asked).toEqual(['acquire /slow 11000', 'acquire /slow 11000', 'release /slow 1000']);
  });

  it('sends nothing while the shared limiter does not answer', async () => {
    const shared: SharedRateLimiter = {
      ...NO_PENALTY,
      acquire: () => Promise.reject(new Error('the database is away')),
      release: () => Promise.resolve(),
    };
    const limiter = createRateLimiter(limits, { until: 0 }, Date.now, shared);
    expect(await leave(limiter, '/slow', 'reconcile')).toBe(false);
    expect(await leave(limiter, '/fast', 'cancel')).toBe(true);
  });

  it('sends what it may by its own knowledge while nobody knows of a penalty', async () => {
    const away = () => Promise.reject(new Error('the database is away'));
    const shared = { acquire: away, release: away, penaltyMs: away, penalise: away };
    const limiter = createRateLimiter(limits, { until: 0 }, Date.now, shared);
    expect(await leave(limiter, '/fast', 'cancel')).toBe(true);
  });

  it('releases its slot when sending throws', async () => {
    const limiter = createRateLimiter(limits, { until: 0 }, Date.now);
    for (let i = 0; i < 2; i++)
      await expect(limiter.run('/x', 'open', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    const third = leave(limiter, '/x', 'open');
    await vi.advanceTimersByTimeAsync(1_100);
    expect(await third).toBe(true);
  });
});
