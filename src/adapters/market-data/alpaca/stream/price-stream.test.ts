import { spawn } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import Fastify from 'fastify';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import { mountAlpacaMarketData } from '#sandbox/alpaca/market-data/market-data.ts';
import { type Instant, instant, isoText, parseInstant, SECOND_MS } from '#units/instant.ts';
import { fixedPrices } from '../../../../../tests/broker/fixed-prices.ts';
import { createPriceStream } from './price-stream.ts';

const NOW = parseInstant('2026-11-24T16:00:00Z');
const KEYS = { keyId: 'an id', secretKey: 'a secret' };
const at = (seconds: number) => isoText(instant(NOW + seconds * SECOND_MS));

const closings: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const close of closings.splice(0).toReversed()) await close();
});

const until = (isSo: () => boolean) => vi.waitUntil(isSo, { timeout: 4_000, interval: 20 });

function open(
  url: string,
  { symbols = ['SPY'], ...keys }: Partial<typeof KEYS> & { symbols?: string[] } = {},
) {
  let now = NOW;
  const stream = createPriceStream(url, { ...KEYS, ...keys, symbols: () => symbols }, () => now);
  closings.push(() => stream.stop());
  stream.start();
  return { stream, move: (to: Instant) => void (now = to) };
}

async function standIn(settings: { plan?: 'subscribed' } = {}) {
  const app = Fastify();
  closings.push(() => app.close());
  const keys = { id: KEYS.keyId, secret: KEYS.secretKey };
  const vendor = mountAlpacaMarketData(app, { prices: fixedPrices(), now: () => NOW, keys, ...settings });
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  return { vendor, url: `${address.replace('http', 'ws')}/v2` };
}

/** A vendor that takes every key and subscription, and says what the test says. */
async function scripted({ greets = true } = {}) {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  closings.push(() => {
    for (const socket of server.clients) socket.terminate();
    server.close();
  });
  let connections = 0;
  server.on('connection', (socket) => {
    connections += 1;
    const subscribed: Record<string, string[]> = {};
    if (greets) socket.send('[{"T":"success","msg":"connected"}]');
    socket.on('message', (data) => {
      const { action, ...sent } = JSON.parse(String(data)) as Record<string, never>;
      if (action === 'subscribe') Object.assign(subscribed, sent);
      const answer =
        action === 'auth' ? { T: 'success', msg: 'authenticated' } : { T: 'subscription', ...subscribed };
      socket.send(JSON.stringify([answer]));
    });
  });
  await vi.waitUntil(() => server.address() !== null);
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => connections,
    say(frame: unknown) {
      const text = typeof frame === 'string' ? frame : JSON.stringify(frame);
      for (const socket of server.clients) socket.send(text);
    },
  };
}

describe('what the vendor refuses', () => {
  it.each([
    ['keys that are wrong (402)', 'iex', { keyId: 'another' }],
    ['a feed that the plan lacks (409)', 'sip', {}],
  ])('%s: the stream is never complete, and pauses grow between attempts', async (_what, feed, keys) => {
    const { vendor, url } = await standIn();
    const { stream } = open(`${url}/${feed}`, keys);
    await until(() => vendor.opened >= 2);
    await new Promise((later) => setTimeout(later, 2_500));
    expect(vendor.opened).toBeLessThanOrEqual(3);
    expect(stream.completeSince()).toBeNull();
  });

  it('a second connection of the same keys (406): the first goes on, the second never speaks', async () => {
    const { vendor, url } = await standIn();
    const first = open(`${url}/iex`).stream;
    await until(() => first.completeSince() !== null);
    const second = open(`${url}/iex`).stream;
    await until(() => vendor.opened >= 2 && vendor.connections === 1);
    expect(second.completeSince()).toBeNull();
    expect(first.completeSince()).not.toBeNull();
    first.stop();
    await until(() => second.completeSince() !== null);
  });

  it('more symbols than the plan has (405): prices are asked for, halts are still told', async () => {
    const { vendor, url } = await standIn();
    const symbols = ['SPY', ...Array.from({ length: 20 }, (_, index) => `X${index}`)];
    const { stream } = open(`${url}/iex`, { symbols });
    await until(() => {
      vendor.halt('SPY');
      return stream.haltOf('SPY', null) !== null;
    });
    expect(stream.completeSince()).toBeNull();
    expect(vendor.opened).toBe(1);
  });
});

it('carries coins, whose stream has no trading statuses', async () => {
  const { vendor, url } = await standIn();
  const { stream } = open(`${url.replace('/v2', '')}/v1beta3/crypto/us`, { symbols: ['BTC/USD'] });
  await until(() => stream.completeSince() !== null);
  expect(vendor.opened).toBe(1);
});

it('connects again for another ticker of a share that was renamed', async () => {
  const vendor = await scripted();
  let ticker = 'OLD';
  const stream = createPriceStream(vendor.url, { ...KEYS, symbols: () => [ticker] }, () => NOW);
  closings.push(() => stream.stop());
  stream.start();
  await until(() => stream.completeSince() !== null);
  ticker = 'NEW';
  expect(stream.completeSince()).toBeNull();
  await until(() => stream.completeSince() !== null);
  expect(vendor.connections()).toBe(2);
});

describe('what the vendor says', () => {
  const empty = { trade: null, bid: null, ask: null, quotedAt: null };
  const priceOf = (stream: ReturnType<typeof open>['stream']) =>
    stream.apply(new Map([['SPY', empty]])).get('SPY');
  async function live() {
    const vendor = await scripted();
    const { stream, move } = open(vendor.url);
    await until(() => stream.completeSince() !== null);
    return { vendor, stream, move };
  }

  it('is merged by its times: a later trade and a later quote count, whatever comes last', async () => {
    const { vendor, stream } = await live();
    vendor.say([
      { T: 't', S: 'SPY', p: 101, t: at(2) },
      { T: 'q', S: 'SPY', bp: 100, ap: 0, t: at(2) },
      { T: 't', S: 'SPY', p: 99, t: at(1), c: ['@'] },
      { T: 't', S: 'SPY', p: 55, t: at(3), c: ['@', 'W'] },
      { T: 'unheard of', S: 'SPY' },
    ]);
    await until(() => priceOf(stream)?.quotedAt !== null);
    expect(priceOf(stream)).toEqual({
      trade: { price: 101, at: NOW + 2 * SECOND_MS },
      bid: 100,
      ask: null,
      quotedAt: NOW + 2 * SECOND_MS,
    });
  });

  it.each([
    ['a bar of a minute without one of its trades', [{ T: 'b', S: 'SPY', t: at(60), c: 1 }]],
    ['a cancelled trade', [{ T: 'x', S: 'SPY', i: 1 }]],
    ['a corrected trade', [{ T: 'c', S: 'SPY' }]],
  ])('asks again after %s', async (_what, frame) => {
    const { vendor, stream, move } = await live();
    vendor.say([{ T: 't', S: 'SPY', p: 101, t: at(2) }]);
    await until(() => priceOf(stream)?.trade !== null);
    move(instant(NOW + 3 * SECOND_MS));
    vendor.say(frame);
    await until(() => stream.completeSince() === NOW + 3 * SECOND_MS);
    expect(priceOf(stream)?.trade).toBeNull();
  });

  it.each(['{"no":"array"}', '[{"T":"t","S":"SPY","p":"a text","t":"2026-11-24T16:00:00Z"}]', 'no json'])(
    'is left, and the connection with it, where it cannot be read: %s',
    async (text) => {
      const { vendor, stream } = await live();
      vendor.say(text);
      await until(() => stream.completeSince() === null);
      await until(() => stream.completeSince() !== null);
      expect(vendor.connections()).toBe(2);
    },
  );

  it('keeps a halt while only quoting resumes', async () => {
    const { vendor, stream } = await live();
    const status = (sc: string, seconds: number) => [
      { T: 's', S: 'SPY', sc, sm: sc, rc: '', rm: '', t: at(seconds) },
    ];
    vendor.say(status('H', 1));
    vendor.say(status('Q', 2));
    await until(() => stream.haltOf('SPY', null) !== null);
    vendor.say([{ T: 't', S: 'SPY', p: 101, t: at(3) }]);
    await until(() => priceOf(stream)?.trade !== null);
    // While the stream speaks, only the vendor ends a halt: trades of before are reported late.
    expect(stream.haltOf('SPY', priceOf(stream)!.trade)).toEqual({ since: NOW + SECOND_MS, said: 'H' });
    vendor.say(status('T', 4));
    await until(() => stream.haltOf('SPY', null) === null);
  });
});

it('leaves a vendor that takes the connection and says nothing, after ten seconds', async () => {
  const vendor = await scripted({ greets: false });
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  open(vendor.url);
  await vi.waitUntil(() => vendor.connections() === 1);
  await new Promise((later) => setTimeout(later, 100));
  vi.advanceTimersByTime(30 * SECOND_MS);
  await vi.waitUntil(() => vendor.connections() === 2);
});

it('keeps no process alive', async () => {
  const { url } = await scripted();
  const file = path.join(import.meta.dirname, 'price-stream.ts');
  const script = `
    const { createPriceStream } = await import(${JSON.stringify(file)});
    const keys = { keyId: 'a', secretKey: 'b', symbols: () => ['SPY'] };
    const stream = createPriceStream(${JSON.stringify(url)}, keys, Date.now);
    stream.start();
    for (let waits = 0; waits < 100 && stream.completeSince() === null; waits++)
      await new Promise((later) => setTimeout(later, 50));
    console.log(stream.completeSince() === null ? 'silent' : 'speaks');
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { cwd: import.meta.dirname });
  closings.push(() => void child.kill('SIGKILL'));
  let said = '';
  child.stdout.on('data', (data) => (said += String(data)));
  child.stderr.on('data', (data) => (said += String(data)));
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const late = new Promise((resolve) => setTimeout(resolve, 15_000, 'still alive'));
  expect([await Promise.race([ended, late]), said.trim()]).toEqual([0, 'speaks']);
}, 20_000);
