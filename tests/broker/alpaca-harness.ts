// The Alpaca adapter and its stand-in, joined by real HTTP, with a market that moves only when the test moves it.
import Fastify from 'fastify';
import { alpaca } from '#adapters/broker/alpaca/alpaca.ts';
import type {
  AccountLimit,
  Capability,
  BrokerHarness,
  OrderPrice,
} from '../conformance/broker/conformance-case.ts';
import { nextSession, session, sessionAt } from '#engine/market/calendar.ts';
import { optionInstrument, parseOption } from '#engine/market/option-contract.ts';
import type { ApprovedOrder, Side } from '#engine/order/order.ts';
import type { AccountFlags } from '#sandbox/alpaca/orders/order.ts';
import { mountAlpaca, type StandIn } from '#sandbox/alpaca/stand-in.ts';
import type { ClientOrderId, Symbol } from '#units/identifiers.ts';
import { toMicro } from '#units/money.ts';
import { type Instant, instant, type IsoDate, MINUTE_MS, utcDate } from '#units/instant.ts';
import { toQuantity } from '#units/quantity.ts';
import { INSTRUMENTS, SATURDAY, fixedPrices } from './fixed-prices.ts';
import { plantWireFaults } from './wire-faults.ts';

export type AlpacaHarness = BrokerHarness & {
  readonly standIn: StandIn;
  readonly address: string;
  close(): Promise<void>;
};

export async function openAlpacaHarness(): Promise<AlpacaHarness> {
  const fixed = fixedPrices();
  const instruments = [...INSTRUMENTS, ...Object.values(CONTRACTS)];
  const prices = {
    ...fixed,
    instruments,
    // An option trades at one price while shares trade.
    quote: (symbol: Symbol, at: Instant) => {
      const quote = fixed.quote(symbol, at);
      if (quote !== null || parseOption(symbol) === null) return quote;
      return { symbol, at, last: 3, bid: 3, ask: 3, open: sessionAt('us-equity', at) !== null };
    },
  };
  const client = { id: 'client', secret: 'a secret of the client' };
  let at = SATURDAY;
  const app = Fastify();
  const standIn = mountAlpaca(app, { prices, now: () => at, client });
  const faults = plantWireFaults(app, /^\/v2\/(orders|account\/activities)/);
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  const broker = alpaca({
    baseUrl: address,
    access: {
      kind: 'permission',
      authorizeUrl: `${address}/oauth/authorize`,
      tokenUrl: `${address}/oauth/token`,
      clientId: client.id,
      clientSecret: client.secret,
    },
    findInstrument: (symbol) => instruments.find((known) => known.symbol === symbol) ?? null,
    timeoutMs: 5_000,
    rateLimits: { requestsPerSecond: 1_000, spacingMs: {}, backOffMs: 1_000 },
  });

  return {
    broker,
    standIn,
    address,
    capabilities: new Set<Capability>([
      'stops',
      'fractions',
      'apart',
      'stream',
      'coinFees',
      'options',
      'terms',
      'assignments',
      'activities',
    ]),
    now: () => at,
    decide,
    order: ({ id, side, price, units, of }) =>
      ({
        side,
        symbol: symbolOf(of),
        quantity: units ?? toQuantity(price === 'beyond_means' ? 1_000_000 : 10),
        limitPrice: LIMIT[side][price] * PRICE_FACTOR[of ?? 'share'],
        purpose: 'rebalance',
        clientOrderId: id as ClientOrderId,
      }) as unknown as ApprovedOrder,
    passOpening() {
      at = instant(nextSession('us-equity', at).opensAt + MINUTE_MS);
    },
    passClose() {
      at = instant((sessionAt('us-equity', at)?.closesAt ?? at) + MINUTE_MS);
    },
    passExpiry() {
      at = instant(session('us-equity', EXPIRY)!.closesAt + MINUTE_MS);
    },
    assignEarly: (symbol, contracts) =>
      standIn.books.assign(standIn.books.accounts.at(-1)!, symbol, contracts, at),
    passMinutes(minutes) {
      at = instant(at + minutes * MINUTE_MS);
    },
    fallTo: fixed.fallTo,
    fillPartly(isOn) {
      standIn.books.fillsAtMost = isOn ? 0.5 : 1;
    },
    goSilent(isOn) {
      faults.isSilent = isOn;
    },
    loseNextAnswer() {
      faults.lose = true;
    },
    garbleNextAnswer(text, status) {
      faults.garble = { text, status };
    },
    moveCash({ kind, dollars, units, chargedBy }) {
      standIn.books.move({
        account: standIn.books.accounts.at(-1)!,
        type: ACTIVITY_TYPES[kind],
        ...(kind === 'trading_fee' && {
          description: `${chargedBy === 'units' ? 'TAF fee for proceed of 10 shares (1 trades)' : 'REG fee for proceed of $1000.00'} on ${utcDate(at)} by PA3000000`,
        }),
        amount: toMicro(dollars),
        symbol: units === null ? null : 'SPY',
        units: units === null ? null : toQuantity(units),
        at,
      });
    },
    limitAccount(limit, isOn) {
      Object.assign(standIn.books.accounts.at(-1)!.flags, LIMITS[limit](isOn));
    },
    close: () => app.close(),
  };
}

/** Presses a button on the permission page, as a browser would. */
async function decide(authorizeUrl: string, decision: 'approve' | 'deny'): Promise<string | null> {
  const page = await (await fetch(authorizeUrl)).text();
  if (!page.includes('Practice money')) throw new Error(page);
  const body = new URLSearchParams({ decision });
  const decided = await fetch(authorizeUrl, { method: 'POST', body, redirect: 'manual' });
  const back = new URL(decided.headers.get('location') ?? '');
  if (back.searchParams.get('state') !== 's') throw new Error(`came back to ${back.href}`);
  return back.searchParams.get('code');
}

const LIMITS: Record<AccountLimit, (isOn: boolean) => Partial<AccountFlags>> = {
  account_blocked: (isOn) => ({ accountBlocked: isOn }),
  trading_blocked: (isOn) => ({ tradingBlocked: isOn }),
  not_active: (isOn) => ({ status: isOn ? 'ACCOUNT_UPDATED' : 'ACTIVE' }),
  suspended_by_owner: (isOn) => ({ tradeSuspendedByUser: isOn }),
  transfers_blocked: (isOn) => ({ transfersBlocked: isOn }),
  day_trading: (isOn) => ({ patternDayTrader: isOn, dayTradingBuyingPower: 100 }),
  no_shorting: (isOn) => ({ shortingEnabled: !isOn }),
  no_coins: (isOn) => ({ cryptoStatus: isOn ? 'INACTIVE' : 'ACTIVE' }),
  options_level_1: (isOn) => ({ optionsTradingLevel: isOn ? 1 : 2 }),
};
const EXPIRY = '2026-01-16' as IsoDate;
const CONTRACTS = {
  call: optionInstrument(parseOption('SPY.260116C90' as Symbol)!),
  put: optionInstrument(parseOption('SPY.260116P90' as Symbol)!),
};
const symbolOf = (of: 'coin' | 'call' | 'put' | undefined) =>
  of === 'call' || of === 'put' ? CONTRACTS[of].symbol : ((of === 'coin' ? 'BTCUSD' : 'SPY') as Symbol);
const PRICE_FACTOR = { share: 1, coin: 400, call: 0.03, put: 0.03 };
const ACTIVITY_TYPES = {
  dividend: 'DIV',
  withholding_tax: 'DIVNRA',
  interest: 'INT',
  fee: 'FEE',
  trading_fee: 'FEE',
  deposit: 'CSD',
  withdrawal: 'CSW',
} as const;
const LIMIT: Record<Side, Record<OrderPrice, number>> = {
  buy: { marketable: 103, far: 50, beyond_means: 103 },
  sell: { marketable: 97, far: 150, beyond_means: 97 },
};
