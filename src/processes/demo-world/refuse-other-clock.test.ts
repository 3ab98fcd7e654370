import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { refuseOtherClock } from './refuse-other-clock.ts';

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close();
});

/** A server whose /market/clock says this time; without one it knows no such path. */
async function serverAt(now: string | null): Promise<string> {
  const server = createServer((request, response) => {
    if (now === null || request.url !== '/market/clock') response.statusCode = 404;
    const clock = { now, daySeconds: 20, mode: 'sandbox', paused: false, endsAt: null };
    response.end(JSON.stringify(response.statusCode === 404 ? { error: 'unknown' } : clock));
  });
  servers.push(server);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const market = await serverAt('2026-01-06T12:00:00.000Z');
const at = async (now: string | null) => `${await serverAt(now)}/v1/api`;

test('a stand-in on the market’s clock is accepted', async () => {
  const brokerUrl = await at('2026-01-06T12:30:00.000Z');
  await expect(
    refuseOtherClock({ name: 'BROKER_BASE_URL', brokerUrl, marketFeedUrl: market }),
  ).resolves.toBeUndefined();
});

test('a broker in another time is refused with both times and the way out', async () => {
  const brokerUrl = await at('2026-11-23T12:00:00.000Z');
  await expect(
    refuseOtherClock({ name: 'BROKER_BASE_URL', brokerUrl, marketFeedUrl: market }),
  ).rejects.toThrow(
    `BROKER_BASE_URL is ${brokerUrl}, where it is 2026-11-23T12:00:00.000Z, and on the market it is 2026-01-06T12:00:00.000Z. Start a stand-in that follows the clock of ${market}, or set BROKER=sandbox.`,
  );
});

test('a broker that says no time, as every real one, is refused', async () => {
  const refused = refuseOtherClock({
    name: 'BROKER_BASE_URL',
    brokerUrl: await at(null),
    marketFeedUrl: market,
  });
  await expect(refused).rejects.toThrow('nothing there says that it runs on the market’s clock');
  const silent = refuseOtherClock({
    name: 'BROKER_BASE_URL',
    brokerUrl: 'http://127.0.0.1:1/v1/api',
    marketFeedUrl: market,
  });
  await expect(silent).rejects.toThrow('Start a stand-in that answers GET /market/clock');
});
