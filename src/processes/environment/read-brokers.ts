// The settings of each broker that BROKER names. A setting that every vendor has, such as the base URL, is BROKER_BASE_URL for
// the first one named, and with the vendor's prefix (IBKR_BASE_URL, ALPACA_BASE_URL) for any.
import type { MarketMode } from '#ports/market-data.ts';
import { brokerRefusal } from './broker-refusal.ts';
import type { BrokerSettings } from './broker-settings.ts';
import type { LiveMarket } from './live-market.ts';
import { oneOf, wholeNumber } from './setting.ts';
import { type BrokerChoice, CHOICES, VENDORS } from './vendors.ts';

type Text = (name: string) => string | null;

type World = {
  readonly market: MarketMode;
  readonly live: LiveMarket | null;
  readonly marketFeedUrl: string | null;
};

/** In the order of BROKER. Throws an Error when one is missing, contradicts another or may not trade on this market. */
export function readBrokers(text: Text, world: World): readonly BrokerSettings[] {
  const usual = world.live === null ? 'sandbox' : 'alpaca';
  const choices = (text('BROKER') ?? usual)
    .split(',')
    .map((name) => oneOf('BROKER', name.trim(), CHOICES, usual));
  refuseTwice(choices);
  refuseUnnamed(text, choices);
  return choices.map((choice, index) =>
    readBroker(text, world, { choice, isFirst: index === 0, isAlone: choices.length === 1 }),
  );
}

function refuseTwice(choices: readonly BrokerChoice[]): void {
  const named = new Map<string, BrokerChoice>();
  for (const choice of choices) {
    const { vendor } = VENDORS[choice];
    const before = named.get(vendor);
    if (before !== undefined)
      throw new Error(
        `BROKER names ${before} and ${choice}, and a client could not tell which of them an account is of. Name one of them.`,
      );
    named.set(vendor, choice);
  }
}

const OF_EVERY_VENDOR = [
  'BASE_URL',
  'AUTHORIZE_URL',
  'WEBSOCKET_URL',
  'REQUESTS_PER_SECOND',
  'LIST_SPACING_MS',
  'TOKEN_URL',
  'SESSION_URL',
] as const;

type OfEveryVendor = (typeof OF_EVERY_VENDOR)[number];

/** A setting of a vendor that is not set up is a vendor forgotten, or a name mistyped. */
function refuseUnnamed(text: Text, choices: readonly BrokerChoice[]): void {
  const prefixes = new Set(choices.map((choice) => VENDORS[choice].prefix));
  // The sandbox brokerage needs none.
  for (const name of CHOICES.filter((choice) => choice !== 'sandbox')) {
    const { prefix } = VENDORS[name];
    const stray = OF_EVERY_VENDOR.find((one) => text(`${prefix}_${one}`) !== null);
    if (stray !== undefined && !prefixes.has(prefix))
      throw new Error(
        `${prefix}_${stray} is set, and BROKER is ${choices.join(',')}: remove it, or set BROKER=${[...choices, name].join(',')}.`,
      );
  }
}

type Place = { readonly choice: BrokerChoice; readonly isFirst: boolean; readonly isAlone: boolean };

function readBroker(text: Text, world: World, { choice, isFirst, isAlone }: Place): BrokerSettings {
  const { vendor, prefix: own, refusalOnLive } = VENDORS[choice];
  const of = (name: OfEveryVendor): string | null => {
    const [theirs, plain] = [text(`${own}_${name}`), isFirst ? text(`BROKER_${name}`) : null];
    if (theirs !== null && plain !== null && theirs !== plain)
      throw new Error(
        `${own}_${name} and BROKER_${name} are both of ${choice}, and differ: remove one of them.`,
      );
    return theirs ?? plain;
  };
  const prefix = isAlone ? 'BROKER' : own;
  const clock = oneOf(
    'BROKER_CLOCK',
    text('BROKER_CLOCK'),
    ['market', 'real'] as const,
    choice === 'sandbox' ? 'market' : 'real',
  );
  const { live, ...market } = world;
  const isOwn = choice === 'alpaca' && text('ALPACA_CLIENT_ID') === null;
  const keys = isOwn && live !== null ? { keyId: live.keyId, secretKey: live.secretKey } : null;
  const stated = of('BASE_URL');
  const baseUrl = stated ?? (keys && live ? live.tradingUrl : null);
  const baseUrlName = stated === null && keys ? 'ALPACA_TRADING_URL' : `${prefix}_BASE_URL`;
  const tenancy = tenancyOf(text, vendor, isAlone);
  const takesRealMoney = live?.takesRealMoney ?? false;
  const asked = { ...market, choice, vendor, clock, baseUrl, baseUrlName, tenancy, takesRealMoney };
  const refusal = brokerRefusal(asked, refusalOnLive);
  if (refusal !== null) throw new Error(refusal);
  return {
    choice,
    vendor,
    prefix,
    clock,
    baseUrl,
    authorizeUrl: of('AUTHORIZE_URL'),
    consumerKey: text('IBKR_CONSUMER_KEY'),
    realm: text('IBKR_REALM'),
    signatureKeyFile: text('IBKR_SIGNATURE_KEY_FILE'),
    encryptionKeyFile: text('IBKR_ENCRYPTION_KEY_FILE'),
    dhPrimeHex: text('IBKR_DH_PRIME_HEX'),
    alpaca: { clientId: text('ALPACA_CLIENT_ID'), clientSecret: text('ALPACA_CLIENT_SECRET'), keys },
    websocketUrl: of('WEBSOCKET_URL'),
    requestsPerSecond: wholeNumber(`${prefix}_REQUESTS_PER_SECOND`, of('REQUESTS_PER_SECOND'), {
      fallback: null,
      min: 1,
      max: 50,
    }),
    listSpacingMs: wholeNumber(`${prefix}_LIST_SPACING_MS`, of('LIST_SPACING_MS'), {
      fallback: null,
      min: 0,
      max: 60_000,
    }),
    tenancy,
    tokenUrl: of('TOKEN_URL'),
    sessionUrl: of('SESSION_URL'),
    clientId: text('IBKR_CLIENT_ID'),
    keyId: text('IBKR_KEY_ID'),
    privateKeyFile: text('IBKR_PRIVATE_KEY_FILE'),
    credential: text('IBKR_CREDENTIAL'),
    ip: text('IBKR_IP'),
  };
}

/** Beside Interactive Brokers the others are of persons, whatever IBKR_TENANCY says. */
function tenancyOf(text: Text, vendor: string, isAlone: boolean): BrokerSettings['tenancy'] {
  const said = oneOf('IBKR_TENANCY', text('IBKR_TENANCY'), ['person', 'adviser'] as const, 'person');
  return vendor === 'interactive-brokers' || isAlone ? said : 'person';
}
