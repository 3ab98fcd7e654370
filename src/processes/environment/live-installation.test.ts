// What a live installation is refused for, each with the setting's name and the way out.
import { expect, test } from 'vitest';
import { FICTITIOUS_TERMS, OWNER_TERMS, PROVIDER_SETTINGS } from '#rules/provider.ts';
import { providerStatements } from '#rules/provider-statements.ts';
import { liveInstallation } from '#tests/support/live-installation.ts';
import { readEnvironment } from './environment.ts';

const KEYS = { APCA_API_KEY_ID: 'PK7TQ', APCA_API_SECRET_KEY: 'a secret' };
const CLIENTS = {
  ...KEYS,
  ...liveInstallation('/etc/bellwether/key', 'smtp://mail.test'),
  MARKET: 'live',
  BROKER: 'interactive-brokers,alpaca',
  IBKR_BASE_URL: 'http://127.0.0.1:3200/v1/api',
  ALPACA_CLIENT_ID: 'ours',
};
const PROXIED = { PUBLIC_URL: 'https://invest.steadyhand.test', TRUST_PROXY: '1' };
const refusalOf = (change: Record<string, string>) => {
  try {
    readEnvironment({ ...CLIENTS, ...change });
  } catch (error) {
    return (error as Error).message;
  }
  return null;
};

test('a complete installation is not refused, on this machine and behind a proxy', () => {
  expect(refusalOf({})).toBeNull();
  expect(refusalOf(PROXIED)).toBeNull();
  expect(refusalOf({ ...PROXIED, HOST: '10.0.0.5' })).toBeNull();
  expect(refusalOf({ DATABASE_URL: 'postgres://own:f00d@127.0.0.1/own' })).toBeNull();
  expect(refusalOf({ DATABASE_URL: 'postgres://own:f00d@db.test/own?sslmode=verify-full' })).toBeNull();
  expect(refusalOf({ ...PROXIED, HOST: '0.0.0.0', TRUST_PROXY: '10.0.0.0/8' })).toBeNull();
  expect(readEnvironment(CLIENTS).provider.companyName).toBe('Steady Hand Advisers (Pty) Ltd');
});

test.each(Object.values(PROVIDER_SETTINGS))('without %s, or with a placeholder there', (setting) => {
  expect(refusalOf({ [setting]: '' })).toBe(
    `${setting} is not set, and the legal texts of MARKET=live name it. Set it to what your clients may rely on`,
  );
  for (const placeholder of [
    '[Registered address]',
    'support@bellwether.example',
    '$XXXX',
    'FSP 0 (fictitious)',
    'TBD',
  ])
    expect(refusalOf({ [setting]: placeholder })).toContain(`${setting} is "${placeholder}", a placeholder`);
});

test('where prices are simulated the company is complete, and says that it is fictitious', () => {
  const { provider } = readEnvironment({});
  expect(provider).toEqual(FICTITIOUS_TERMS);
  for (const term of ['companyName', 'registrationNumber', 'licenceNumber', 'address'] as const)
    expect(provider[term]).toMatch(/fictitious/);
  expect(JSON.stringify(provider)).not.toMatch(/\[\w+/);
  expect(readEnvironment({ PROVIDER_COMPANY: 'Ours' }).provider.companyName).toBe('Ours');
});

test('what is said of one person alone names no company, licence or authority', () => {
  const { imprint, introduction, complaints } = providerStatements(OWNER_TERMS);
  for (const sentence of [imprint, introduction, complaints])
    expect(sentence).not.toMatch(/licensed|Authority|none,|@/);
  expect(providerStatements(FICTITIOUS_TERMS).imprint).toMatch(/licensed by the .* FSP 00000/);
});

test('one who trades their own account alone needs no company, no mail server and no key file', () => {
  expect(readEnvironment(KEYS).provider).toEqual(OWNER_TERMS);
  expect(() => readEnvironment({ ...KEYS, BROKER: 'alpaca,interactive-brokers', MARKET: 'live' })).toThrow(
    'PROVIDER_COMPANY is not set',
  );
});

test.each([
  ['PUBLIC_URL', { PUBLIC_URL: 'http://invest.steadyhand.test' }, 'set it to an https address'],
  ['PUBLIC_URL', { PUBLIC_URL: 'invest.steadyhand.test' }, 'must be the address that browsers open'],
  [
    'PUBLIC_URL',
    { PUBLIC_URL: 'https://invest.steadyhand.test/app' },
    'must be the address that browsers open',
  ],
  ['HOST', { HOST: '0.0.0.0' }, 'set HOST=127.0.0.1, or PUBLIC_URL to the https address'],
  ['TRUST_PROXY', { ...PROXIED, TRUST_PROXY: 'no' }, 'Set TRUST_PROXY to the number of proxies'],
  ['TRUST_PROXY', { ...PROXIED, HOST: '0.0.0.0' }, 'Set HOST to the address that only the proxy reaches'],
  ['TRUST_PROXY', { ...PROXIED, HOST: '::' }, 'Set HOST to the address that only the proxy reaches'],
  ['DATABASE_URL', { DATABASE_URL: 'postgres://own:f00d@db.test/own' }, 'add sslmode=verify-full'],
  ['DATABASE_URL', { DATABASE_URL: 'postgres://own:f00d@db.test/own?sslmode=prefer' }, 'sslmode=verify-full'],
  ['DATABASE_URL', { DATABASE_URL: 'postgres:///own?user=own&host=db.test' }, 'add sslmode=verify-full'],
  ['DATABASE_URL', { DATABASE_URL: 'postgres://own:f00d@/own?host=db.test' }, 'must be an address'],
  ['ALPACA_BASE_URL', { ALPACA_BASE_URL: 'http://paper-api.alpaca.markets' }, 'set it to an https address'],
  [
    'ALPACA_TOKEN_URL',
    { ALPACA_TOKEN_URL: 'http://api.alpaca.test/oauth/token' },
    'set it to an https address',
  ],
  ['IBKR_AUTHORIZE_URL', { IBKR_AUTHORIZE_URL: 'http://ibkr.test/authorize' }, 'set it to an https address'],
  ['IBKR_WEBSOCKET_URL', { IBKR_WEBSOCKET_URL: 'ws://api.ibkr.com/v1/api/ws' }, 'wss for a stream'],
  [
    'OPERATOR_WEBHOOK',
    { OPERATOR_WEBHOOK: 'http://alarms.test', OPERATOR_WEBHOOK_SECRET: 'a secret of 16 characters' },
    'set it to an https address',
  ],
  ['KEK_FILE', { KEK_FILE: '' }, 'Set it to a file outside of DATA_DIR'],
  ['KEK_FILE', { KEK_FILE: 'data/keys/another' }, 'Set it to a file outside of DATA_DIR'],
  ['MAIL_URL', { MAIL_URL: '' }, 'set it to your mail server'],
  ['PAYMENTS', { PAYMENTS: '' }, 'set PAYMENTS=stripe, STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRETS'],
  ['PAYMENTS', { PAYMENTS: 'ledger' }, 'set PAYMENTS=stripe'],
  ['STRIPE_STAND_IN_URL', { REAL_MONEY: 'yes' }, 'with REAL_MONEY=yes remove it'],
  [
    'STRIPE_SECRET_KEY',
    { REAL_MONEY: 'yes', STRIPE_STAND_IN_URL: '' },
    'set it to one that begins with sk_live_',
  ],
  ['IBKR_CONSUMER_KEY', { IBKR_CONSUMER_KEY: 'TESTCONS' }, 'a key at its default'],
  ['IBKR_REALM', { IBKR_REALM: 'test_realm' }, 'a key at its default'],
  ['ALPACA_CLIENT_SECRET', { ALPACA_CLIENT_SECRET: 'changeme' }, 'a key at its default'],
  ['APCA_API_KEY_ID', { APCA_API_KEY_ID: '…' }, 'a key at its default'],
  ['APCA_API_SECRET_KEY', { APCA_API_SECRET_KEY: 'your secret key' }, 'a key at its default'],
  [
    'DOCUMENT_STORE_SECRET_KEY',
    {
      DOCUMENT_STORE_URL: 'https://s3.example.test/agreements',
      DOCUMENT_STORE_KEY_ID: 'id',
      DOCUMENT_STORE_SECRET_KEY: 'changeme',
    },
    'a key at its default',
  ],
  ['DATABASE_URL', { DATABASE_URL: 'postgres://user:password@host:5432/bellwether' }, 'a key at its default'],
  ['MAIL_URL', { MAIL_URL: 'smtp://user:password@mail.example.test:587' }, 'a key at its default'],
] as const)('%s: %j', (setting, change, wayOut) => {
  const refusal = refusalOf(change);
  expect(refusal).toMatch(new RegExp(`^${setting} `));
  expect(refusal).toContain(wayOut);
});
