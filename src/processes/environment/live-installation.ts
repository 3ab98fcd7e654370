// What MARKET=live refuses of an installation: an address that others can listen in on, a proxy that anyone can pretend to be, a
// key at its default, mails that nobody receives. Each refusal names the setting. One who runs the product for themselves alone,
// on this machine, needs none of it but keys that are no examples.
import path from 'node:path';
import type { BrokerSettings } from './broker-settings.ts';
import type { LiveMarket } from './live-market.ts';
import type { TrustProxy } from './trust-proxy.ts';
import { isLoopback } from './loopback.ts';
import { isTestKey, type StripeEnvironment } from './payment-settings.ts';

type Installation = {
  readonly publicUrl: string;
  readonly host: string;
  readonly trustProxy: TrustProxy;
  readonly dataDir: string;
  readonly keyEncryptionKeyFile: string;
  readonly keyService: { readonly url: string } | null;
  readonly databaseUrl: string | null;
  readonly databaseOwnerUrl: string | null;
  readonly mailUrl: string | null;
  readonly live: LiveMarket | null;
  readonly brokers: readonly BrokerSettings[];
  readonly stripe: StripeEnvironment | null;
  readonly documentStore: { readonly secretKey: string } | null;
  readonly operator: { readonly webhook: { readonly url: string; readonly secret: string } | null };
};

/**
 * Throws an Error that names the setting and the way out. `isForOne`: one person on this machine trades their own account, and
 * has no clients.
 */
export function refuseUnfitInstallation(
  installation: Installation,
  { isForOne }: { readonly isForOne: boolean },
): void {
  const refusal =
    exampleKey(installation) ??
    addressRefusal(installation) ??
    databaseRefusal('DATABASE_URL', installation.databaseUrl) ??
    databaseRefusal('DATABASE_OWNER_URL', installation.databaseOwnerUrl) ??
    sameUser(installation) ??
    plainAddress(installation) ??
    (isForOne
      ? null
      : (keyFileRefusal(installation) ?? mailRefusal(installation) ?? paymentRefusal(installation)));
  if (refusal !== null) throw new Error(refusal);
}

function addressRefusal({ publicUrl, host, trustProxy }: Installation): string | null {
  const address = URL.canParse(publicUrl) ? new URL(publicUrl) : null;
  if (address === null || !/^https?:$/.test(address.protocol) || address.href !== `${address.origin}/`)
    return `PUBLIC_URL must be the address that browsers open, such as https://invest.example.com, not "${publicUrl}"`;
  const isLocal = isLoopback(address.hostname);
  if (!isLocal && address.protocol !== 'https:')
    return `PUBLIC_URL is ${publicUrl}, and passwords would travel unencrypted: set it to an https address`;
  if (isLocal && !isLoopback(host))
    return `HOST is ${host}, which other machines reach, and PUBLIC_URL is ${publicUrl}: set HOST=127.0.0.1, or PUBLIC_URL to the https address that browsers open`;
  if (!isLocal && trustProxy === false)
    return `TRUST_PROXY is no, and PUBLIC_URL is ${publicUrl}: your own proxy must end https there, or all clients count as one address. Set TRUST_PROXY to the number of proxies, such as 1, or to their networks`;
  if (typeof trustProxy === 'number' && EVERY_ADDRESS.has(host))
    return `TRUST_PROXY is ${trustProxy}, and HOST is ${host}: whoever reaches it may pretend to be your proxy. Set HOST to the address that only the proxy reaches, such as 127.0.0.1, or TRUST_PROXY to the proxy's networks`;
  return null;
}

/** What clients tell us would travel unencrypted between two machines. */
function databaseRefusal(setting: string, url: string | null): string | null {
  if (url === null) return null;
  if (!URL.canParse(url))
    return `${setting} must be an address such as postgres://user:secret@host:5432/bellwether?sslmode=verify-full`;
  const { hostname, searchParams } = new URL(url);
  const host = searchParams.get('host') ?? hostname;
  const isLocal = host === '' || host.startsWith('/') || isLoopback(host);
  if (isLocal || ENCRYPTED.has(searchParams.get('sslmode') ?? '')) return null;
  return `${setting} reaches ${host} without TLS, and all records would travel unencrypted: add sslmode=verify-full to it`;
}

/** The product must not be able to change what it is guarded by. */
function sameUser({ databaseUrl, databaseOwnerUrl }: Installation): string | null {
  if (databaseUrl === null || databaseOwnerUrl === null) return null;
  const [user, owner] = [databaseUrl, databaseOwnerUrl].map((url) => new URL(url).username);
  return user === owner
    ? `DATABASE_URL and DATABASE_OWNER_URL both sign in as ${user}: the product must own nothing. Make a user for it, grant it the roles bellwether_product and bellwether_api, and set DATABASE_URL to that one`
    : null;
}

/** Orders, permissions and alarms travel encrypted to every other machine. */
function plainAddress({ brokers, operator }: Installation): string | null {
  const addresses = brokers.flatMap(
    ({ prefix, baseUrl, authorizeUrl, tokenUrl, sessionUrl, websocketUrl }) => [
      [`${prefix}_BASE_URL`, baseUrl],
      [`${prefix}_AUTHORIZE_URL`, authorizeUrl],
      [`${prefix}_TOKEN_URL`, tokenUrl],
      [`${prefix}_SESSION_URL`, sessionUrl],
      [`${prefix}_WEBSOCKET_URL`, websocketUrl],
    ],
  );
  const found = [...addresses, ['OPERATOR_WEBHOOK', operator.webhook?.url ?? null]].find(
    ([, url]) => url != null && !isEncrypted(url),
  );
  return found === undefined
    ? null
    : `${found[0]} is ${found[1]}, and what is sent there would travel unencrypted: set it to an https address (wss for a stream)`;
}

function isEncrypted(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return /^(https|wss):$/.test(protocol) || isLoopback(hostname);
}

/** Those that check whom they speak to. */
const ENCRYPTED: ReadonlySet<string> = new Set(['verify-full', 'verify-ca']);
const EVERY_ADDRESS: ReadonlySet<string> = new Set(['0.0.0.0', '::', '[::]', '0']);

function keyFileRefusal({ keyEncryptionKeyFile, keyService, dataDir }: Installation): string | null {
  if (keyService !== null)
    return keyService.url.startsWith('https:') || isLoopback(new URL(keyService.url).hostname)
      ? null
      : `VAULT_ADDR is ${keyService.url}, and keys would travel unencrypted: set it to an https address`;
  if (path.relative(dataDir, path.resolve(keyEncryptionKeyFile)).startsWith('..')) return null;
  return (
    `KEK_FILE is ${keyEncryptionKeyFile}, beside what it protects: a copy of DATA_DIR would open the credentials of all clients. ` +
    'Set it to a file outside of DATA_DIR'
  );
}

function mailRefusal({ mailUrl }: Installation): string | null {
  if (mailUrl !== null) return null;
  return 'MAIL_URL is not set, and clients of MARKET=live would never receive their mails, resets of passwords among them: set it to your mail server';
}

/** Its clients owe plans and fees: a ledger that only records would give everything away. */
function paymentRefusal({ stripe, live }: Installation): string | null {
  if (stripe === null)
    return 'PAYMENTS is ledger, which only records payments, and nobody would ever pay: set PAYMENTS=stripe, STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRETS';
  if (live?.takesRealMoney !== true) return null;
  if (stripe.standInUrl !== null)
    return 'STRIPE_STAND_IN_URL is a stand-in of the payment service, and nobody would ever pay: with REAL_MONEY=yes remove it';
  if (isTestKey(stripe))
    return 'STRIPE_SECRET_KEY is of the test mode, and nobody would ever pay: with REAL_MONEY=yes set it to one that begins with sk_live_ or rk_live_';
  return null;
}

/** The vendor's own test consumer, and what .env.example and manuals write in the place of a secret. */
function exampleKey({
  brokers,
  live,
  databaseUrl,
  databaseOwnerUrl,
  mailUrl,
  documentStore,
  operator,
}: Installation): string | null {
  const keys = brokers.flatMap(({ consumerKey, realm, alpaca }) => [
    ['IBKR_CONSUMER_KEY', consumerKey],
    ['IBKR_REALM', realm],
    ['ALPACA_CLIENT_SECRET', alpaca.clientSecret],
  ]);
  const found = [
    ...keys,
    ['APCA_API_KEY_ID', live?.keyId],
    ['APCA_API_SECRET_KEY', live?.secretKey],
    ['MASSIVE_API_KEY', live?.massive?.apiKey],
    ['MASSIVE_S3_SECRET_KEY', live?.massiveFiles?.secretKey],
    ['DOCUMENT_STORE_SECRET_KEY', documentStore?.secretKey],
    ['OPERATOR_WEBHOOK_SECRET', operator.webhook?.secret],
    ['DATABASE_URL', passwordIn(databaseUrl)],
    ['DATABASE_OWNER_URL', passwordIn(databaseOwnerUrl)],
    ['MAIL_URL', passwordIn(mailUrl)],
  ].find(([, value]) => EXAMPLES.test(value ?? ''));
  return found === undefined
    ? null
    : `${found[0]} has "${found[1]}", a key at its default: MARKET=live needs one of your own`;
}

function passwordIn(url: string | null): string | null {
  return url !== null && URL.canParse(url) ? decodeURIComponent(new URL(url).password) : null;
}

const EXAMPLES =
  /^(testcons|test_realm|…|\.{3,}|x{3,}|\*{3,}|<.*>|your[ _-].*|changeme|change-me|password|passwort|postgres|secret|example|default|admin|1234\d*)$/i;
