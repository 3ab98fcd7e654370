// The second vendor of a mixed world: Alpaca's stand-in behind real HTTP, in the time of the world, with faults of its own
// and with what a night does to the shares that it holds.
import Fastify from 'fastify';
import { alpaca } from '#adapters/broker/alpaca/alpaca.ts';
import { NO_RATE_LIMITS } from '#adapters/broker/interactive-brokers/config.ts';
import { previousTradingDay, session } from '#engine/market/calendar.ts';
import type { Broker, BrokerCredentials } from '#ports/broker.ts';
import type { FaultScript } from '#sandbox/alpaca/faults/fault-script.ts';
import { mountAlpaca, type StandIn } from '#sandbox/alpaca/stand-in.ts';
import type { PriceSource, ShareAction } from '#sandbox/market/price-source.ts';
import type { Rule } from '#sandbox/interactive-brokers/faults/fault-script.ts';
import type { Instant } from '#units/instant.ts';
import { micro } from '#units/money.ts';
import { quantity } from '#units/quantity.ts';
import { roundHalfEven } from '#units/round.ts';
import { recordOrders } from './sent-to-brokers.ts';
import { secondVendorRules } from './second-vendor-faults.ts';

export type SecondVendor = {
  readonly standIn: StandIn;
  /** An adapter of its own; it asks, and is told nothing by itself, so that a world does not depend on real time. */
  connect(): Broker;
  open(): { readonly account: string; readonly credentials: BrokerCredentials };
  /** The faults of the first vendor's script that this one can have, until the next script. */
  script(seed: number, rules: readonly Rule[]): void;
  /** Settles what traded between two instants, with the nights that lie between them. */
  pass(from: Instant, to: Instant): void;
  close(): Promise<void>;
};

type Surroundings = {
  readonly prices: PriceSource;
  readonly now: () => Instant;
  readonly ownNow: () => number;
  /** What is sent to any real broker. */
  readonly sent: string[];
};

export async function openSecondVendor({ prices, now, ownNow, sent }: Surroundings): Promise<SecondVendor> {
  const app = Fastify();
  recordOrders(app, sent);
  const standIn = mountAlpaca(app, { prices, now, client: CLIENT });
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  const { books } = standIn;
  return {
    standIn,
    connect() {
      const broker = alpaca({
        baseUrl: address,
        access: {
          kind: 'permission',
          authorizeUrl: `${address}/oauth/authorize`,
          tokenUrl: `${address}/oauth/token`,
          clientId: CLIENT.id,
          clientSecret: CLIENT.secret,
        },
        findInstrument: (symbol) => prices.instruments.find((one) => one.symbol === symbol) ?? null,
        timeoutMs: 5_000,
        rateLimits: NO_RATE_LIMITS,
        now: ownNow,
      });
      return { ...broker, keepsMarketTime: true, openSession: (access) => openPolled(broker, access) };
    },
    open() {
      const { account, keyId, secretKey } = standIn.signIn.openWithKey();
      return { account: account.number, credentials: { keyId, secretKey } };
    },
    script(seed, rules) {
      const own = secondVendorRules(rules);
      standIn.faults.set({ seed, rules: [...own.rules] } satisfies FaultScript);
      books.fillsAtMost = own.fillsAtMost;
    },
    pass(from, to) {
      for (const { action, at } of nightsBetween(prices, from, to)) {
        books.settle(at);
        passNight(standIn, action, at);
      }
      books.settle(to);
    },
    close: () => app.close(),
  };
}

async function openPolled(broker: Broker, credentials: BrokerCredentials): ReturnType<Broker['openSession']> {
  const opened = await broker.openSession(credentials);
  if (opened.outcome === 'failed') return opened;
  const { onNews: _, ...polled } = opened.value;
  return { outcome: 'ok', value: polled };
}

function nightsBetween(prices: PriceSource, from: Instant, to: Instant) {
  return (prices.actions?.(to) ?? [])
    .map((action) => {
      const { closesAt: at } = session('us-equity', previousTradingDay('us-equity', action.exDate))!;
      return { action, at };
    })
    .filter(({ at }) => from < at && at <= to)
    .toSorted((one, other) => one.at - other.at);
}

/** As the first vendor's books do it, and a dividend is itemised. */
function passNight({ books }: StandIn, { symbol, kind, amount }: ShareAction, at: Instant): void {
  for (const account of books.accounts) {
    const held = account.held.get(symbol) ?? 0;
    if (held === 0) continue;
    if (kind === 'split') account.held.set(symbol, quantity(held + roundHalfEven(held * (amount - 1))));
    else
      books.move({
        account,
        type: 'DIV',
        amount: micro(roundHalfEven((held * amount) / 100)),
        symbol,
        units: quantity(held),
        at,
      });
  }
}

const CLIENT = { id: 'client', secret: 'a secret of the client' };
