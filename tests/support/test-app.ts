// The whole HTTP server on its own database, with a broker and a market whose answers the test sets.
import { randomBytes } from 'node:crypto';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { afterAll } from 'vitest';
import type { Broker, BrokerAccount, BrokerAnswer, BrokerCash } from '../../src/ports/broker.ts';
import type { Mail, MailOutcome, MailPort } from '../../src/ports/mail.ts';
import type { MarketDataFeed } from '../../src/ports/market-data.ts';
import type { PaymentsPort } from '../../src/ports/payments.ts';
import type { SigningPort } from '../../src/ports/signing.ts';
import { practice } from '#adapters/broker/practice/practice.ts';
import { practiceStore } from '#records/practice/practice-accounts.ts';
import { ledgerPayments } from '../../src/adapters/payments/ledger/ledger.ts';
import { ledgerStore } from '#records/payments/ledger-store.ts';
import { printPdf } from '#adapters/printing/pdf/print-pdf.ts';
import { createMailbox } from '#records/notifications/sandbox-mailbox.ts';
import { createApp } from '../../src/server/app.ts';
import { serveSandboxMailbox } from '#server/sandbox-mailbox/serve-sandbox-mailbox.ts';
import { createBrokerQuestions } from '#records/brokerage/broker-questions.ts';
import { type DatabaseHandle, openDatabase } from '#records/postgres/database.ts';
import { openKeyring } from '#records/keys/keyring.ts';
import type { KeyManagement } from '#ports/key-management.ts';
import { createDeploymentReader } from '#server/deployments/deployment-reader.ts';
import { type Dependencies, USUAL_LIMITS } from '#server/http/dependencies.ts';
import { FICTITIOUS_TERMS } from '../../src/rules/provider.ts';
import type { BrokerAccountId } from '../../src/units/identifiers.ts';
import { instant, type Instant } from '../../src/units/instant.ts';
import { toMicro } from '../../src/units/money.ts';
import { equityInstrument } from './engine/random-market.ts';
import { startDesk } from './answering-desk.ts';
import { testKeyFile } from './test-keyring.ts';
import { testDatabase, type TestDatabase } from './test-database.ts';

export type TestApp = {
  readonly app: FastifyInstance;
  readonly records: TestDatabase;
  /** What the app asks through, in its own role. */
  readonly served: DatabaseHandle;
  /** `mail` is what a worker sends with. */
  readonly dependencies: Dependencies & { readonly mail: MailPort };
  /** The answers of third parties; change it to change them. */
  readonly world: World;
  request(options: Requested): Promise<TestAnswer>;
};

export type World = {
  /** The real clock, moved by hand. */
  now: Instant;
  marketNow: Instant;
  cash: BrokerAnswer<BrokerCash>;
  /** The account that a sign-in grants, and others with it. */
  accountId: string;
  otherAccounts: readonly BrokerAccount[];
  authorization: 'granted' | 'unreachable';
  /** The mail service's answer to the next mails, and the mails that it accepted. */
  mailOutcome: MailOutcome;
  readonly mails: Mail[];
};

export type Requested = Pick<InjectOptions, 'method' | 'headers' | 'payload'> & {
  readonly url: string;
  readonly token?: string;
  readonly body?: unknown;
};

/** `body` is the JSON that came, untyped on purpose: the tests are about its content. */
export type TestAnswer = {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
};

type Options = Partial<
  Pick<
    Dependencies['config'],
    'installation' | 'limits' | 'needsPlan' | 'provider' | 'staffNeedSecondFactor' | 'trustProxy' | 'webRoot'
  >
>;

const NO_SIGNING: Signing = {
  signing: { provider: 'none' } as unknown as SigningPort,
  signingCeremony: null,
  vendorSigning: null,
};

/** A database, and what the server reads through it. */
export function recordsOf(
  records: DatabaseHandle,
  brokers: Dependencies['brokers'] = [],
): Pick<Dependencies, 'records' | 'findDeployment' | 'brokerQuestions'> {
  return {
    records,
    findDeployment: createDeploymentReader(records.pool, brokers),
    brokerQuestions: createBrokerQuestions(records),
  };
}

type Vendors = {
  readonly management?: KeyManagement;
  readonly payments?: (records: DatabaseHandle) => PaymentsPort;
  readonly languageModel?: Dependencies['languageModel'];
  readonly documents?: Dependencies['documents'];
};

const embeddedLedger = ({ database }: DatabaseHandle) => ledgerPayments(ledgerStore(database));

type Signing = Pick<Dependencies, 'signing' | 'signingCeremony' | 'vendorSigning'>;

/** Call at the top of a test file. `signing` makes the e-signature service over the records; without it there is none. */
export async function testApp(
  options: Options = {},
  signing: (records: DatabaseHandle) => Signing = () => NO_SIGNING,
  {
    management = testKeyFile().management,
    payments = embeddedLedger,
    languageModel = null,
    documents,
  }: Vendors = {},
): Promise<TestApp> {
  const records = await testDatabase();
  const world: World = {
    now: instant(Date.now()),
    marketNow: instant(Date.UTC(2026, 0, 5, 15)),
    cash: cashOf(1_000_000),
    accountId: 'DU1234567',
    otherAccounts: [],
    authorization: 'granted',
    mailOutcome: { outcome: 'sent' },
    mails: [],
  };
  const marketData = marketOf(world);
  const brokers = [brokerOf(world)];
  const served = openDatabase(records.url, { asApi: true });
  const dependencies: TestApp['dependencies'] = {
    ...recordsOf(records, brokers),
    brokers,
    history: () => Promise.reject(new Error('no history is kept here')),
    marketData,
    practiceVenue: practice({
      store: practiceStore(served.database),
      feed: marketData,
      findInstrument: () => null,
    }),
    ...signing(served),
    identityCheck: null,
    languageModel,
    payments: payments(records),
    print: printPdf,
    documents,
    mail: {
      async send(mail) {
        if (world.mailOutcome.outcome === 'sent') world.mails.push(mail);
        return world.mailOutcome;
      },
    },
    mountPages: (app) => serveSandboxMailbox(app, createMailbox(records.database)),
    now: () => world.now,
    logger: false,
    keys: await openKeyring({ database: records.database, management }),
    config: {
      publicUrl: 'http://product.test',
      version: '0.0.0-test',
      installation: 'demonstration',
      provider: FICTITIOUS_TERMS,
      webRoot: null,
      telegramBot: 'bellwether_test_bot',
      needsPlan: false,
      staffNeedSecondFactor: false,
      takesPaperOnly: false,
      trustProxy: false,
      checksAnswers: true,
      limits: {
        ...USUAL_LIMITS,
        signInsPerMinute: 10_000,
        requestsPerMinute: 100_000,
        requestsPerMinuteOfKey: 100_000,
      },
      ...options,
    },
  };
  const own = recordsOf(served, brokers);
  const app = await createApp(withOwn(dependencies, own));
  await app.ready();
  const stopDesk = startDesk({
    handle: records,
    broker: dependencies.brokers[0]!,
    answersFor: 'connections',
  });
  afterAll(async () => {
    await app.close();
    await dependencies.brokerQuestions.close();
    await own.brokerQuestions.close();
    await stopDesk();
    await served.close();
  });
  const request = async ({ token, body, ...options }: Requested): Promise<TestAnswer> => {
    const answer = await app.inject({
      ...options,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    });
    const isJson = String(answer.headers['content-type']).includes('json');
    return {
      status: answer.statusCode,
      headers: answer.headers,
      text: answer.body,
      body: isJson ? (answer.json() as unknown) : undefined,
    };
  };
  return { app, records, served, dependencies, world, request };
}

/** The server reads in its own role, while a test and a worker see all rows. The rest stays what the test makes of it. */
function withOwn(dependencies: Dependencies, own: Partial<Dependencies>): Dependencies {
  return new Proxy(dependencies, { get: (target, name: keyof Dependencies) => own[name] ?? target[name] });
}

/** From now on the broker reports this; what it reported before is forgotten. */
export async function reportCash(
  { records, world }: Pick<TestApp, 'records' | 'world'>,
  cash: World['cash'],
): Promise<void> {
  world.cash = cash;
  await records.pool.query('delete from account_cash');
}

export function cashOf(dollars: number): BrokerAnswer<BrokerCash> {
  return {
    outcome: 'ok',
    value: { currency: 'USD', cash: toMicro(dollars), netLiquidation: toMicro(dollars) },
  };
}

function brokerOf(world: World): Broker {
  const unused = () => Promise.reject(new Error('not asked for in these tests'));
  const accounts = (): readonly BrokerAccount[] => [
    { accountId: world.accountId as BrokerAccountId, title: 'Paper', currency: 'USD' },
    ...world.otherAccounts,
  ];
  const gone = { outcome: 'failed', code: 'unreachable', reason: 'told to be' } as const;
  return {
    vendor: 'interactive-brokers',
    limits: { executionHistoryDays: 7, listLagMs: 900_000, stopKinds: ['equity'] },
    resetAt: () => null,
    beginAuthorization: async ({ callbackUrl }) => {
      if (world.authorization === 'unreachable') return gone;
      const requestToken = randomBytes(8).toString('hex');
      const authorizeUrl = `http://broker.test/authorize?oauth_token=${requestToken}&redirect_uri=${encodeURIComponent(callbackUrl)}`;
      return { outcome: 'ok', value: { requestToken, authorizeUrl } };
    },
    completeAuthorization: async () =>
      world.authorization === 'unreachable'
        ? gone
        : { outcome: 'ok', value: { credentials: { secret: 'hush' }, isPaper: true } },
    openSession: async () => ({
      outcome: 'ok',
      value: {
        accounts: async () => ({ outcome: 'ok', value: accounts() }),
        cash: async () => world.cash,
        positions: unused,
        submitOrder: unused,
        cancelOrder: unused,
        orders: unused,
        openOrders: unused,
        executions: unused,
        keepAlive: unused,
        sessionState: () => ({ status: 'connected', detail: '' }),
        close: async () => undefined,
      },
    }),
  };
}

function marketOf(world: World): MarketDataFeed {
  const unused = () => Promise.reject(new Error('not asked for in these tests'));
  return {
    instruments: async () => ({ ok: true, value: [equityInstrument('SPY')] }),
    dailyBars: unused,
    corporateActions: unused,
    quotes: async (symbols) => ({
      ok: true,
      value: symbols.map((symbol) => ({
        symbol,
        last: 450,
        bid: 449.9,
        ask: 450.1,
        open: true,
        at: world.marketNow,
      })),
    }),
    clock: async () => ({
      ok: true,
      value: { now: world.marketNow, daySeconds: 20, mode: 'sandbox', paused: false, endsAt: null },
    }),
  };
}
