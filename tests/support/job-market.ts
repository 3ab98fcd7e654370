// The clock of a market feed, which is all of it that a backtest asks, over HTTP.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll } from 'vitest';
import { type Instant, isoText } from '#units/instant.ts';

/** Returns the feed's address. Call at the top of a test file. */
export async function marketFeedAt(now: Instant): Promise<string> {
  const clock = { now: isoText(now), daySeconds: 20, mode: 'sandbox', paused: false, endsAt: null };
  const feed = createServer((_, answer) => {
    answer.setHeader('content-type', 'application/json');
    answer.end(JSON.stringify(clock));
  });
  await new Promise<void>((listening) => feed.listen(0, '127.0.0.1', listening));
  afterAll(() => feed.close());
  return `http://127.0.0.1:${(feed.address() as AddressInfo).port}`;
}
