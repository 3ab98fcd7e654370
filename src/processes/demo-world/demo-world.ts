// What the demonstration has of its own: simulated prices, the mailbox and free plans.
import { sandboxMailbox } from '#adapters/mail/sandbox-mailbox/sandbox-mailbox.ts';
import { sandboxFeed } from '#adapters/market-data/sandbox/sandbox-feed.ts';
import { ledgerPayments } from '#adapters/payments/ledger/ledger.ts';
import { createMailbox } from '#records/notifications/sandbox-mailbox.ts';
import { ledgerStore } from '#records/payments/ledger-store.ts';
import type { Environment } from '../environment/environment.ts';
import { isLoopback } from '../environment/loopback.ts';
import { plainListings } from '../seed/catalogue/plain-listings.ts';
import { connectMail } from '../wiring/connect-mail.ts';
import { connectPayments } from '../wiring/connect-payments.ts';
import { required } from '../wiring/required.ts';
import type { World } from '../wiring/world.ts';
import { runningEnvironment } from './running-environment.ts';

export const DEMO_WORLD: World = {
  name: 'demo-world',
  runningEnvironment,
  openMarketData: async (environment) => ({ marketData: feedOf(environment) }),
  clockOf(environment) {
    const feed = feedOf(environment);
    return async () => {
      const clock = await feed.clock();
      if (!clock.ok) throw new Error(`the market feed: ${clock.message}`);
      return clock.value;
    };
  },
  connectMail: (environment, database) =>
    connectMail(environment, () => sandboxMailbox(createMailbox(database))),
  connectPayments: (environment, database) =>
    connectPayments(environment, database, () => ledgerPayments(ledgerStore(database))),
  // A stand-in decides: the sandbox's own, which answers by a rule and is no model.
  async connectDeciders({ marketFeedUrl }) {
    const { anthropicModel } = await import('#adapters/language-model/anthropic/anthropic-model.ts');
    const url = `${required('MARKET_FEED_URL', marketFeedUrl)}/v1`;
    const prices = { input: 3, output: 15 };
    return [anthropicModel({ model: 'stand-in', isStandIn: true, key: 'sandbox', url, prices })];
  },
  async listings(instruments, mode) {
    if (mode !== 'sandbox') return plainListings(instruments, mode);
    // Loaded where a catalogue is made only.
    const { simulatedListings } = await import('./catalogue/simulated-listings.ts');
    return simulatedListings();
  },
  async mountPages(app, environment, database) {
    if (!showsMailbox(environment)) return;
    const { serveSandboxMailbox } = await import('#server/sandbox-mailbox/serve-sandbox-mailbox.ts');
    await serveSandboxMailbox(app, createMailbox(database));
  },
};

function feedOf({ marketFeedUrl }: Pick<Environment, 'marketFeedUrl'>) {
  return sandboxFeed(required('MARKET_FEED_URL', marketFeedUrl));
}

/** A reader of the mailbox can reset every password: only people at this machine are shown it, and no proxy brings others. */
export function showsMailbox({
  host,
  publicUrl,
  trustProxy,
  mailUrl,
}: Pick<Environment, 'host' | 'publicUrl' | 'trustProxy' | 'mailUrl'>): boolean {
  const isLocal = isLoopback(host) && URL.canParse(publicUrl) && isLoopback(new URL(publicUrl).hostname);
  return isLocal && trustProxy === false && mailUrl === null;
}
