// A broker that trades on the market's prices must live in the market's time. A stand-in says so by answering
// GET /market/clock at its address as the market feed does; no real broker answers that.
import { sandboxFeed } from '#adapters/market-data/sandbox/sandbox-feed.ts';
import { HOUR_MS, isoText } from '#units/instant.ts';

type Addresses = {
  /** The setting that `brokerUrl` is of. */ readonly name: string;
  readonly brokerUrl: string;
  readonly marketFeedUrl: string;
};

/** Throws an Error that says what to do when the broker does not run on the market's clock. */
export async function refuseOtherClock({ name, brokerUrl, marketFeedUrl }: Addresses): Promise<void> {
  const stated = await sandboxFeed(new URL(brokerUrl).origin).clock();
  if (!stated.ok)
    throw new Error(
      `${name} is ${brokerUrl}, and nothing there says that it runs on the market’s clock (${stated.message}). ` +
        'Start a stand-in that answers GET /market/clock, or set BROKER=sandbox.',
    );
  const market = await sandboxFeed(marketFeedUrl).clock();
  if (!market.ok) throw new Error(market.message);
  const apartMs = Math.abs(stated.value.now - market.value.now);
  if (apartMs > APART_MAX_MS)
    throw new Error(
      `${name} is ${brokerUrl}, where it is ${isoText(stated.value.now)}, and on the market it is ` +
        `${isoText(market.value.now)}. Start a stand-in that follows the clock of ${marketFeedUrl}, or set BROKER=sandbox.`,
    );
}

/** Between the two answers a market day of one second passes by some minutes. */
const APART_MAX_MS = 6 * HOUR_MS;
