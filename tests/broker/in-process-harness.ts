// The Interactive Brokers adapter and the sandbox brokerage in one process, without sockets and without waiting: for
// tests and simulations that script faults and move time by hand.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PersonConfig, NO_RATE_LIMITS } from '#adapters/broker/interactive-brokers/config.ts';
import { interactiveBrokers } from '#adapters/broker/interactive-brokers/interactive-brokers.ts';
import type { Broker, BrokerCredentials, BrokerSession } from '#ports/broker.ts';
import { consumerFiles, prepareConsumer } from '#sandbox/interactive-brokers/sign-in/consumer.ts';
import type { Habits } from '#sandbox/interactive-brokers/faults/habits.ts';
import { FAULT_SCRIPT } from '#sandbox/interactive-brokers/faults/fault-script.ts';
import { createBrokerage, type InProcessBrokerage } from '#tests/support/in-process-brokerage.ts';
import type { PriceSource } from '#sandbox/market/price-source.ts';
import type { BrokerAccountId } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import type { z } from 'zod';

export type InProcessHarness = {
  readonly brokerage: InProcessBrokerage;
  readonly broker: Broker;
  /** A second adapter, which shares with the first only its configuration. */
  anotherProcess(config?: Partial<PersonConfig>): Broker;
  /** Replaces the script of faults. */
  script(script: z.input<typeof FAULT_SCRIPT>): void;
  /** A new person with an account and a permission for the product, without the sign-in page. */
  person(userName: string): Promise<Person>;
  close(): void;
};

export type Person = {
  readonly userName: string;
  readonly accountId: BrokerAccountId;
  readonly credentials: BrokerCredentials;
  session(): Promise<BrokerSession>;
};

export async function openInProcessHarness(world: {
  readonly prices: PriceSource;
  readonly now: () => Instant;
  /** The clock of tokens and sessions on both sides. */
  readonly realNow: () => number;
  readonly config?: Partial<PersonConfig>;
  readonly habits?: Habits;
}): Promise<InProcessHarness> {
  const folder = mkdtempSync(join(tmpdir(), 'in-process-'));
  const consumer = prepareConsumer(folder);
  const { prices, now, realNow, habits } = world;
  const sleep = () => Promise.resolve();
  const file = ':memory:';
  const brokerage = await createBrokerage({
    file,
    consumer,
    prices,
    now,
    realNow,
    sleep,
    ...(habits && { habits }),
  });
  const files = consumerFiles(folder);
  const adapter = (more: Partial<PersonConfig> = {}) =>
    interactiveBrokers({
      baseUrl: 'http://brokerage.test/v1/api',
      authorizeUrl: 'http://brokerage.test/authorize',
      consumerKey: consumer.key,
      realm: consumer.realm,
      dhPrimeHex: consumer.dhPrimeHex,
      signaturePrivateKeyPem: readFileSync(files.signaturePrivatePem, 'utf8'),
      encryptionPrivateKeyPem: readFileSync(files.encryptionPrivatePem, 'utf8'),
      findInstrument: (symbol) => prices.instruments.find((known) => known.symbol === symbol) ?? null,
      keepsMarketTime: true,
      rateLimits: NO_RATE_LIMITS,
      now: realNow,
      fetch: brokerage.fetch,
      sleep,
      ...world.config,
      ...more,
    });
  const broker = adapter();

  return {
    brokerage,
    broker,
    anotherProcess: adapter,
    script: (script) => brokerage.faults.set(FAULT_SCRIPT.parse(script), now()),
    async person(userName) {
      const opened = brokerage.people.open(userName, 'practice-8');
      if (typeof opened === 'string') throw new Error(opened);
      const requestToken = brokerage.permissions.request();
      const verifier = brokerage.permissions.approve(requestToken, userName) ?? '';
      const granted = await broker.completeAuthorization({ requestToken, verifier });
      if (granted.outcome === 'failed') throw new Error(granted.reason);
      const { credentials } = granted.value;
      return {
        userName,
        accountId: opened.accountId as BrokerAccountId,
        credentials,
        async session() {
          const session = await broker.openSession(credentials);
          if (session.outcome === 'failed') throw new Error(session.reason);
          return session.value;
        },
      };
    },
    close() {
      brokerage.close();
      rmSync(folder, { recursive: true });
    },
  };
}
