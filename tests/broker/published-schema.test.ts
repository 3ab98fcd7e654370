// Checks the sandbox brokerage's answers against the vendor's published description, which is in the folder `shared` next
// to the project; without it these tests are skipped.
import { PLAIN_HABITS } from '#sandbox/interactive-brokers/faults/habits.ts';
import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  decryptAccessTokenSecret,
  finishKeyExchange,
  startKeyExchange,
} from '#adapters/broker/interactive-brokers/sign-in/live-session-token.ts';
import {
  authorizationHeader,
  freshStamp,
  type SigningKey,
} from '#adapters/broker/interactive-brokers/sign-in/oauth-signature.ts';
import { answerSchema, misfits, readDescription } from '#tests/support/published-description.ts';
import { type InteractiveBrokersHarness, decide, openHarness } from './interactive-brokers-harness.ts';

const file = resolve(import.meta.dirname, '../../../shared/reference/ibkr-web-api-openapi.json');
const description = readDescription(file);

describe.skipIf(!description)("the sandbox brokerage's answers fit the published description", () => {
  let harness: InteractiveBrokersHarness;
  let ask: (method: string, path: string, json?: unknown) => Promise<unknown>;
  let accountId: string;
  let conid: number;

  beforeAll(async () => {
    // The habits go beyond the description: statuses of the vendor's other programs, for one.
    harness = await openHarness({ habits: PLAIN_HABITS });
    ask = await signIn(harness);
    await ask('POST', '/iserver/auth/ssodh/init', { publish: true, compete: true });
    const { selectedAccount } = (await ask('GET', '/iserver/accounts')) as { selectedAccount: string };
    accountId = selectedAccount;
    await ask('GET', '/portfolio/accounts');
    const stocks = (await ask('GET', '/trsrv/stocks?symbols=SPY')) as Record<
      string,
      { contracts: { conid: number }[] }[]
    >;
    conid = stocks.SPY?.[0]?.contracts[0]?.conid ?? 0;
    await ask('GET', '/iserver/account/orders');
    for (const [cOID, price] of [
      ['s1', 103],
      ['s2', 50],
    ]) {
      const order = { conid, cOID, price, orderType: 'LMT', side: 'BUY', tif: 'DAY', quantity: 10 };
      await ask('POST', `/iserver/account/${accountId}/orders`, { orders: [order] });
    }
    harness.passOpening();
  });
  afterAll(() => harness.close());

  const order = (fields: object) => ({
    orders: [{ conid, orderType: 'LMT', side: 'BUY', tif: 'DAY', price: 103, quantity: 10, ...fields }],
  });
  const cases: readonly [string, string, (() => [string, unknown?])?][] = [
    [
      'POST',
      '/iserver/auth/ssodh/init',
      () => ['/iserver/auth/ssodh/init', { publish: true, compete: true }],
    ],
    ['POST', '/iserver/auth/status'],
    ['POST', '/tickle'],
    ['GET', '/iserver/accounts'],
    ['GET', '/portfolio/accounts'],
    ['GET', '/portfolio/{accountId}/positions/{pageId}', () => [`/portfolio/${accountId}/positions/0`]],
    [
      'POST',
      '/portfolio/{accountId}/positions/invalidate',
      () => [`/portfolio/${accountId}/positions/invalidate`],
    ],
    ['GET', '/portfolio/{accountId}/ledger', () => [`/portfolio/${accountId}/ledger`]],
    ['GET', '/trsrv/stocks', () => ['/trsrv/stocks?symbols=SPY']],
    ['GET', '/trsrv/secdef', () => [`/trsrv/secdef?conids=${conid}`]],
    ['GET', '/iserver/secdef/search', () => ['/iserver/secdef/search?symbol=BTC']],
    ['GET', '/iserver/currency/pairs', () => ['/iserver/currency/pairs?currency=EUR']],
    ['GET', '/iserver/contract/{conid}/info', () => [`/iserver/contract/${conid}/info`]],
    ['GET', '/iserver/account/orders'],
    ['GET', '/iserver/account/trades', () => ['/iserver/account/trades?days=7']],
    ['GET', '/iserver/account/order/status/{orderId}', () => ['/iserver/account/order/status/1000000001']],
    [
      'POST',
      '/iserver/account/{accountId}/orders',
      () => [`/iserver/account/${accountId}/orders`, order({})],
    ],
    [
      'POST',
      '/iserver/account/{accountId}/orders',
      () => [`/iserver/account/${accountId}/orders`, order({ price: 500 })],
    ],
    [
      'POST',
      '/iserver/account/{accountId}/orders',
      () => [`/iserver/account/${accountId}/orders`, order({ quantity: 1e7 })],
    ],
    [
      'DELETE',
      '/iserver/account/{accountId}/order/{orderId}',
      () => [`/iserver/account/${accountId}/order/1000000002`],
    ],
    ['POST', '/iserver/questions/suppress', () => ['/iserver/questions/suppress', { messageIds: ['o163'] }]],
    ['POST', '/iserver/account', () => ['/iserver/account', { acctId: accountId }]],
    [
      'GET',
      '/iserver/marketdata/snapshot',
      () => [`/iserver/marketdata/snapshot?conids=${conid}&fields=31,84`],
    ],
    [
      'GET',
      '/iserver/marketdata/history',
      () => [`/iserver/marketdata/history?conid=${conid}&period=1m&bar=1d`],
    ],
    ['GET', '/iserver/marketdata/unsubscribeall'],
    ['GET', '/contract/trading-schedule', () => [`/contract/trading-schedule?conid=${conid}&exchange=SMART`]],
    ['POST', '/iserver/contract/rules', () => ['/iserver/contract/rules', { conid, isBuy: true }]],
    ['POST', '/iserver/reply/{replyId}', () => ['/iserver/reply/unknown', { confirmed: true }]],
    ['POST', '/iserver/questions/suppress/reset'],
    ['POST', '/logout'],
  ];
  for (const [method, path, request] of cases)
    it(`${method} ${path}`, async () => {
      const schema = answerSchema(description, method, path);
      const [url, json] = request?.() ?? [path];
      const answer = await ask(method, url, json);
      expect(misfits(description, answer, schema).filter((misfit) => !MISPRINT.test(misfit))).toEqual([]);
      if (Array.isArray(answer)) expect(answer.length).toBeGreaterThan(0);
    });
});

/** The description calls a pair's other currency an integer, but its example says 'SGD'; it lists a boolean as text. */
const MISPRINT = /\.ccyPair is string, not integer$|\.unsubscribed is true, not one of the list$/;

/** Signs requests by hand, so that the raw answers are visible. */
async function signIn(harness: InteractiveBrokersHarness) {
  const base = `${harness.baseUrl}/v1/api`;
  const consumer = JSON.parse(readFileSync(join(harness.folder, 'consumer.json'), 'utf8')) as Record<
    string,
    string
  >;
  const pem = (name: string) => createPrivateKey(readFileSync(join(harness.folder, `${name}-private.pem`)));
  const realm = String(consumer.realm);
  const consumerKey = String(consumer.consumer_key);
  const send = async (
    method: string,
    path: string,
    key: SigningKey,
    oauth: Record<string, string>,
    json?: unknown,
  ) => {
    const url = new URL(`${base}${path}`);
    const signed = {
      method,
      url: url.origin + url.pathname,
      query: Object.fromEntries(url.searchParams),
      oauth: { ...oauth, oauth_consumer_key: consumerKey },
    };
    const response = await fetch(url, {
      method,
      headers: {
        authorization: authorizationHeader(signed, key, { realm, stamp: freshStamp(Date.now()) }),
        ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
      },
      body: method === 'POST' ? JSON.stringify(json ?? {}) : undefined,
    });
    return (await response.json()) as Record<string, string>;
  };
  const rsa: SigningKey = { method: 'RSA-SHA256', privateKey: pem('signature') };
  const { oauth_token: requestToken = '' } = await send('POST', '/oauth/request_token', rsa, {});
  const back = encodeURIComponent('http://127.0.0.1:3000/back?state=s');
  const page = `${harness.baseUrl}/authorize?oauth_token=${requestToken}&redirect_uri=${back}`;
  const verifier = (await decide(page, 'approve', 'schema')) ?? '';
  const access = await send('POST', '/oauth/access_token', rsa, {
    oauth_token: requestToken,
    oauth_verifier: verifier,
  });
  const secret = decryptAccessTokenSecret(String(access.oauth_token_secret), pem('encryption'));
  const exchange = startKeyExchange(String(consumer.dh_prime_hex));
  const oauth = { oauth_token: String(access.oauth_token) };
  const agreed = await send(
    'POST',
    '/oauth/live_session_token',
    { ...rsa, prepend: secret.toString('hex') },
    { ...oauth, diffie_hellman_challenge: exchange.challengeHex },
  );
  const liveSessionToken = finishKeyExchange({
    exchange,
    primeHex: String(consumer.dh_prime_hex),
    responseHex: String(agreed.diffie_hellman_response),
    signatureHex: String(agreed.live_session_token_signature),
    accessTokenSecret: secret,
    consumerKey,
  });
  if (!liveSessionToken) throw new Error('no agreement');
  const key: SigningKey = { method: 'HMAC-SHA256', liveSessionToken };
  return (method: string, path: string, json?: unknown): Promise<unknown> =>
    send(method, path, key, oauth, json);
}
