// The Interactive Brokers adapter and the sandbox brokerage, joined by real HTTP, with a market that moves only when the
// test moves it.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import { NO_RATE_LIMITS } from '#adapters/broker/interactive-brokers/config.ts';
import { interactiveBrokers } from '#adapters/broker/interactive-brokers/interactive-brokers.ts';
import type { Capability, BrokerHarness, OrderPrice } from '../conformance/broker/conformance-case.ts';
import { nextSession, sessionAt } from '#engine/market/calendar.ts';
import type { ApprovedOrder, Side } from '#engine/order/order.ts';
import { mountBrokerage } from '#sandbox/interactive-brokers/brokerage.ts';
import { consumerFiles, prepareConsumer } from '#sandbox/interactive-brokers/sign-in/consumer.ts';
import type { Habits } from '#sandbox/interactive-brokers/faults/habits.ts';
import type { FaultPlan } from '#sandbox/interactive-brokers/faults/fault-plan.ts';
import { FAULT_SCRIPT } from '#sandbox/interactive-brokers/faults/fault-script.ts';
import type { ClientOrderId, DeploymentId, Symbol } from '#units/identifiers.ts';
import { type Instant, instant, MINUTE_MS } from '#units/instant.ts';
import { type Quantity, toQuantity } from '#units/quantity.ts';
import { fuzzAnswers, type DrawForm } from '../conformance/broker/response-fuzzer.ts';
import { INSTRUMENTS, SATURDAY, fixedPrices } from './fixed-prices.ts';
import { plantWireFaults } from './wire-faults.ts';

export type InteractiveBrokersHarness = BrokerHarness & {
  readonly baseUrl: string;
  readonly faults: FaultPlan;
  readonly folder: string;
  moveTo(at: Instant): void;
  /** Another program takes the person's trading session. */
  holdElsewhere(userName: string): void;
  anOrder(order: {
    id: string;
    symbol: string;
    side: Side;
    quantity: Quantity;
    limitPrice: number;
  }): ApprovedOrder;
  close(): Promise<void>;
};

export const INTERACTIVE_BROKERS_HAS: readonly Capability[] = [
  'commission',
  'stops',
  'sessions',
  'stream',
  'prices',
  'resets',
];

/** `draw` rewrites answers in another form before they are sent. */
export async function openHarness({
  draw,
  habits,
}: {
  readonly draw?: DrawForm;
  readonly habits?: Habits;
} = {}): Promise<InteractiveBrokersHarness> {
  const folder = mkdtempSync(join(tmpdir(), 'brokerage-'));
  const consumer = prepareConsumer(folder);
  const prices = fixedPrices();
  let at = SATURDAY;
  let people = 0;
  const app = Fastify();
  const brokerage = mountBrokerage(app, {
    file: join(folder, 'brokerage.sqlite'),
    consumer,
    prices,
    now: () => at,
    ...(habits && { habits }),
  });
  if (draw !== undefined) fuzzAnswers(app, draw);
  const faults = plantWireFaults(app, /\/iserver\/account\/([^/]+\/)?(orders|trades)/);
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  const files = consumerFiles(folder);
  const broker = interactiveBrokers({
    baseUrl: `${address}/v1/api`,
    authorizeUrl: `${address}/authorize`,
    consumerKey: consumer.key,
    realm: consumer.realm,
    dhPrimeHex: consumer.dhPrimeHex,
    signaturePrivateKeyPem: readFileSync(files.signaturePrivatePem, 'utf8'),
    encryptionPrivateKeyPem: readFileSync(files.encryptionPrivatePem, 'utf8'),
    findInstrument: (symbol) => INSTRUMENTS.find((known) => known.symbol === symbol) ?? null,
    timeoutMs: 5_000,
    compete: false,
    rateLimits: NO_RATE_LIMITS,
  });

  const anOrder: InteractiveBrokersHarness['anOrder'] = ({ id, symbol, ...rest }) =>
    ({
      ...rest,
      symbol: symbol as Symbol,
      referencePrice: rest.limitPrice,
      purpose: 'rebalance',
      cause: 'conformance',
      decidedAt: at,
      deploymentId: 'conformance' as DeploymentId,
      clientOrderId: id as ClientOrderId,
      attempt: 1,
    }) as unknown as ApprovedOrder;

  return {
    broker,
    baseUrl: address,
    faults: brokerage.faults,
    folder,
    anOrder,
    now: () => at,
    moveTo(to) {
      at = to;
    },
    holdElsewhere: (userName) => brokerage.sessions.holdElsewhere(userName),
    order: ({ id, side, price }) =>
      anOrder({
        id,
        side,
        symbol: 'SPY',
        quantity: toQuantity(price === 'beyond_means' ? 1_000_000 : 10),
        limitPrice: LIMIT[side][price],
      }),
    decide: (authorizeUrl, decision) => decide(authorizeUrl, decision, `person-${++people}`),
    passOpening() {
      at = instant(nextSession('us-equity', at).opensAt + MINUTE_MS);
    },
    passClose() {
      at = instant((sessionAt('us-equity', at)?.closesAt ?? at) + MINUTE_MS);
    },
    passMinutes(minutes) {
      at = instant(at + minutes * MINUTE_MS);
    },
    fallTo: prices.fallTo,
    fillPartly(isOn) {
      const halves = { on: 'fill', fault: { kind: 'partial_fill', share: 0.5 } };
      brokerage.faults.set(FAULT_SCRIPT.parse({ rules: isOn ? [halves] : [] }), at);
    },
    goSilent(isOn) {
      faults.isSilent = isOn;
    },
    takeElsewhere: () => brokerage.sessions.holdElsewhere(`person-${people}`),
    capabilities: new Set(INTERACTIVE_BROKERS_HAS),
    loseNextAnswer() {
      faults.lose = true;
    },
    garbleNextAnswer(text, status) {
      faults.garble = { text, status };
    },
    async close() {
      await app.close();
      brokerage.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Goes through the sign-in pages as a browser would. */
export async function decide(
  authorizeUrl: string,
  decision: 'approve' | 'deny',
  userName: string,
): Promise<string | null> {
  const { origin, searchParams } = new URL(authorizeUrl);
  const page = await (await fetch(authorizeUrl)).text();
  if (!page.includes('Practice money')) throw new Error(page);
  const ask = Object.fromEntries(searchParams);
  const post = (path: string, fields: Record<string, string>, cookie = '') =>
    fetch(`${origin}${path}`, {
      method: 'POST',
      body: new URLSearchParams({ ...ask, ...fields }),
      headers: { cookie },
      redirect: 'manual',
    });
  const opened = await post('/authorize/open-account', { user_name: userName, password: 'practice-8' });
  const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? '';
  if (opened.status !== 200) throw new Error(await opened.text());
  const decided = await post('/authorize/decide', { decision }, cookie);
  const back = new URL(decided.headers.get('location') ?? '');
  if (back.searchParams.get('oauth_token') !== ask.oauth_token || back.searchParams.get('state') !== 's')
    throw new Error(`came back to ${back.href}`);
  return back.searchParams.get('oauth_verifier');
}

const LIMIT: Record<Side, Record<OrderPrice, number>> = {
  buy: { marketable: 103, far: 50, beyond_means: 103 },
  sell: { marketable: 97, far: 150, beyond_means: 97 },
};
