import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { marketFeed } from '#sandbox/market/feed.ts';
import { type Market, openMarket } from '#sandbox/market/open-market.ts';
import type { Symbol } from '#units/identifiers.ts';
import { type IsoDate, isoText, parseInstant } from '#units/instant.ts';
import { sandboxFeed } from './sandbox-feed.ts';

let folder: string;
let market: Market;
let server: FastifyInstance;
let address: string;

const day = (text: string) => text as IsoDate;
const symbol = (text: string) => text as Symbol;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'feed-'));
  market = openMarket({ DATA_DIR: folder, SANDBOX_DAY_SECONDS: '86400' });
  server = Fastify();
  await server.register(marketFeed(market));
  address = await server.listen({ port: 0, host: '127.0.0.1' });
});

afterAll(async () => {
  await server.close();
  market.clock.close();
  rmSync(folder, { recursive: true });
});

async function advance(body: object) {
  const answer = await fetch(`${address}/market/clock/advance`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

describe('the sandbox feed through its adapter', () => {
  it('returns the clock, the instruments and closed bars', async () => {
    const feed = sandboxFeed(address);
    const clock = await feed.clock();
    expect(clock).toMatchObject({ ok: true, value: { daySeconds: 86_400, mode: 'sandbox', endsAt: null } });
    const instruments = await feed.instruments();
    expect(instruments).toEqual({ ok: true, value: market.prices.listedAt!(market.clock.now()) });
    const bars = await feed.dailyBars(symbol('BWMKT'), day('2025-12-29'), day('2026-12-31'));
    if (!bars.ok) throw new Error(bars.message);
    expect(bars.value.bars.map((bar) => bar.date)).toEqual([
      '2025-12-29',
      '2025-12-30',
      '2025-12-31',
      '2026-01-02',
    ]);
  });

  it('returns the next bar once the clock has passed its close, and never moves back', async () => {
    const feed = sandboxFeed(address);
    expect((await advance({ pause: true, to: '2026-01-05T21:00:00Z' })).status).toBe(200);
    const bars = await feed.dailyBars(symbol('BWMKT'), day('2026-01-05'), day('2026-01-05'));
    expect(bars).toMatchObject({ ok: true, value: { bars: [{ date: '2026-01-05' }], malformed: null } });
    const quotes = await feed.quotes([symbol('BWMKT'), symbol('BTCUSD')]);
    expect(quotes).toMatchObject({
      ok: true,
      value: [
        { symbol: 'BWMKT', open: false, last: bars.ok && bars.value.bars[0]!.close },
        { symbol: 'BTCUSD', open: true },
      ],
    });
    const back = await advance({ to: '2026-01-05T20:00:00Z' });
    expect(back).toMatchObject({ status: 409, body: { code: 'already_past' } });
    expect(isoText(market.clock.now())).toBe('2026-01-05T21:00:00.000Z');
    expect((await advance({ resume: true })).body).toMatchObject({ paused: false });
  });

  it('names what was wrong with a request', async () => {
    const feed = sandboxFeed(address);
    expect(await feed.dailyBars(symbol('NONE'), day('2025-01-01'), day('2025-01-02'))).toEqual({
      ok: false,
      code: 'unknown_symbol',
      message: 'no instrument is called NONE',
    });
    expect(await feed.dailyBars(symbol('BWMKT'), day('2025-02-30'), day('2025-03-02'))).toMatchObject({
      ok: false,
      code: 'refused',
      message: expect.stringContaining('YYYY-MM-DD'),
    });
    expect((await advance({ to: 'soon' })).body).toMatchObject({ message: expect.stringContaining('to') });
  });

  it('fails instead of returning an empty list when the feed is down or its answer is malformed', async () => {
    const nobody = await sandboxFeed('http://127.0.0.1:1').quotes([symbol('BWMKT')]);
    expect(nobody).toMatchObject({ ok: false, code: 'unreachable' });
    const bars = await answerOf({ results: 'none' });
    expect(bars).toMatchObject({ ok: false, code: 'malformed' });
  });

  it('returns the bars before a malformed row, and what is wrong with that row', async () => {
    const answer = await answerOf({ results: [BAR, { ...BAR, close: '4' }, BAR] });
    expect(answer).toMatchObject({ ok: true, value: { bars: [BAR] } });
    expect(answer.ok && answer.value.malformed).toContain('close');
  });

  it('does not judge whether the prices of a bar are plausible', async () => {
    const impossible = { ...BAR, open: 5, high: 4, low: -3 };
    expect(await answerOf({ results: [BAR, impossible] })).toEqual({
      ok: true,
      value: { bars: [BAR, impossible], malformed: null },
    });
  });

  async function answerOf(body: object) {
    const other = Fastify();
    other.get('/market/bars', () => body);
    const otherAddress = await other.listen({ port: 0, host: '127.0.0.1' });
    const feed = sandboxFeed(otherAddress);
    const answer = await feed.dailyBars(symbol('X'), day('2025-01-01'), day('2025-01-02'));
    await other.close();
    return answer;
  }
});

const BAR = {
  openedAt: 1,
  closedAt: 2,
  date: '2025-01-02',
  open: 3,
  high: 4,
  low: 3,
  close: 4,
  volume: 0,
};

describe('opening the market', () => {
  it('starts on the first Monday of 2026 and resumes where it stopped', () => {
    const own = mkdtempSync(path.join(tmpdir(), 'market-'));
    const first = openMarket({ DATA_DIR: own, SANDBOX_DAY_SECONDS: '86400' });
    expect(isoText(first.clock.now()).slice(0, 10)).toBe('2026-01-05');
    first.clock.advanceTo(parseInstant('2026-02-01T00:00:00Z'));
    first.clock.close();
    const second = openMarket({ DATA_DIR: own, SANDBOX_DAY_SECONDS: '86400' });
    expect(isoText(second.clock.now()).slice(0, 10)).toBe('2026-02-01');
    second.clock.close();
    rmSync(own, { recursive: true });
  });

  it('refuses an invalid day length or replay start', () => {
    expect(() => openMarket({ DATA_DIR: folder, SANDBOX_DAY_SECONDS: '0' })).toThrow('SANDBOX_DAY_SECONDS');
    expect(() => openMarket({ DATA_DIR: folder, MARKET: 'replay', REPLAY_FROM: '4.1.2010' })).toThrow(
      'REPLAY_FROM',
    );
  });
});
