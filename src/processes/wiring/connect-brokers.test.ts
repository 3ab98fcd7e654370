import Fastify from 'fastify';
import { afterAll, expect, test } from 'vitest';
import { mountAlpaca } from '#tests/support/alpaca/stand-in.ts';
import { INSTRUMENTS, SATURDAY, fixedPrices } from '../../../tests/broker/fixed-prices.ts';
import { connectBrokers } from './connect-brokers.ts';
import { readEnvironment } from '../environment/environment.ts';

const app = Fastify();
const client = { id: 'our client', secret: 'a secret of ours' };
mountAlpaca(app, { prices: fixedPrices(), now: () => SATURDAY, client });
const address = await app.listen({ host: '127.0.0.1', port: 0 });
afterAll(() => app.close());

const VARIABLES = {
  BROKER: 'alpaca',
  BROKER_CLOCK: 'market',
  BROKER_BASE_URL: address,
  BROKER_AUTHORIZE_URL: `${address}/oauth/authorize`,
  BROKER_TOKEN_URL: `${address}/oauth/token`,
  ALPACA_CLIENT_ID: client.id,
  ALPACA_CLIENT_SECRET: client.secret,
};
const connect = (variables: Record<string, string>) =>
  connectBrokers(readEnvironment(variables), { instruments: INSTRUMENTS, role: 'trader' });

test('BROKER=alpaca puts Alpaca behind the port, and its stand-in answers', async () => {
  const [broker] = await connect(VARIABLES);
  if (broker === undefined) throw new Error('no broker');
  expect(broker).toMatchObject({ vendor: 'alpaca', keepsMarketTime: true });
  const begun = await broker.beginAuthorization({ callbackUrl: 'http://localhost:3000/back?state=s' });
  if (begun.outcome !== 'ok') throw new Error('no sign-in was begun');
  const page = new URL(begun.value.authorizeUrl);
  expect(page.origin).toBe(address);
  expect(page.searchParams.get('client_id')).toBe(client.id);
  const stranger = await broker.openSession({ accessToken: 'never granted' });
  expect(stranger).toMatchObject({ outcome: 'failed', code: 'unauthorized' });
});

test('a missing Alpaca setting is named', async () => {
  const { ALPACA_CLIENT_SECRET: _, ...rest } = VARIABLES;
  await expect(connect(rest)).rejects.toThrow(
    'ALPACA_CLIENT_SECRET must be set for BROKER=alpaca; .env.example says what it is',
  );
});

test('a setting of Interactive Brokers that is missing, or a file without a key, is named', async () => {
  const variables = {
    BROKER: 'interactive-brokers',
    BROKER_CLOCK: 'market',
    BROKER_BASE_URL: `${address}/v1/api`,
    BROKER_AUTHORIZE_URL: `${address}/authorize`,
  };
  await expect(connect(variables)).rejects.toThrow(
    'IBKR_CONSUMER_KEY must be set for BROKER=interactive-brokers',
  );
  const keyed = { ...variables, IBKR_CONSUMER_KEY: 'OURS', IBKR_SIGNATURE_KEY_FILE: import.meta.filename };
  await expect(connect(keyed)).rejects.toThrow(
    `IBKR_SIGNATURE_KEY_FILE is ${import.meta.filename}, which holds no private key in PEM form`,
  );
  await expect(connect({ ...keyed, IBKR_SIGNATURE_KEY_FILE: '/nowhere.pem' })).rejects.toThrow(
    'IBKR_SIGNATURE_KEY_FILE is /nowhere.pem, which holds no private key in PEM form',
  );
});
