// Checks the answers of the trading side of Alpaca's stand-in against the vendor's published description and recordings, which
// are in the folder `shared` next to the project; without them these tests are skipped.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAccountTerms } from '#adapters/broker/alpaca/account-terms.ts';
import { answerSchema, misfits, readDescription, type Schema } from '#tests/support/published-description.ts';
import { type AlpacaHarness, openAlpacaHarness } from './alpaca-harness.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../../shared/reference/alpaca');
const trading = readDescription(path.join(FOLDER, 'trading-openapi.yaml'));
const RECORDED = path.join(FOLDER, 'recorded-answers.json');

describe.skipIf(trading === null)("the trading stand-in's answers fit the vendor's description", () => {
  let harness: AlpacaHarness;
  let headers: Record<string, string>;
  beforeAll(async () => {
    harness = await openAlpacaHarness();
    const { keyId, secretKey } = harness.standIn.signIn.openWithKey();
    headers = { 'apca-api-key-id': keyId, 'apca-api-secret-key': secretKey };
    const send = (order: object) =>
      fetch(`${harness.address}/v2/orders`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ type: 'limit', ...order }),
      });
    const coin = { symbol: 'BTC/USD', time_in_force: 'gtc' };
    await send({ ...coin, qty: '0.5', side: 'buy', limit_price: '41200' });
    await send({ ...coin, qty: '0.1', side: 'sell', limit_price: '39000' });
    await send({ ...coin, qty: '0.1', side: 'buy', limit_price: '20000' });
    await send({ symbol: 'SPY', qty: '2', side: 'buy', limit_price: '103', time_in_force: 'day' });
    harness.passMinutes(2 * 24 * 60);
    harness.passOpening();
  });
  afterAll(() => harness.close());

  const ask = async (url: string): Promise<unknown> =>
    (await fetch(`${harness.address}${url}`, { headers })).json();
  const schemaOf = (name: string) =>
    (trading as unknown as { components: { schemas: Record<string, Schema> } }).components.schemas[name]!;

  it.each(['/v2/account', '/v2/positions', '/v2/orders'])('GET %s', async (address) => {
    const answer = await ask(address);
    const found = misfits(trading, answer, answerSchema(trading, 'GET', address));
    // The description lists the exchanges of shares alone; the vendor's answers say CRYPTO of coins.
    expect(found.filter((one) => !one.endsWith('exchange is CRYPTO, not one of the list'))).toEqual([]);
    expect(Object.keys(answer as object).length).toBeGreaterThan(0);
  });

  it('fills, and fees of purchases and sales of coins', async () => {
    const fills = (await ask('/v2/account/activities/FILL')) as unknown[];
    expect(fills).toHaveLength(3);
    for (const fill of fills) expect(misfits(trading, fill, schemaOf('TradingActivities'))).toEqual([]);
    const fees = (await ask('/v2/account/activities?activity_types=CFEE,FEE')) as { activity_type: string }[];
    expect(fees.map((one) => one.activity_type)).toEqual(['CFEE', 'FEE']);
    for (const fee of fees) expect(misfits(trading, fee, schemaOf('NonTradeActivities'))).toEqual([]);
  });
});

it.skipIf(!existsSync(RECORDED))('reads the terms of the recorded account', () => {
  const { answers } = JSON.parse(readFileSync(RECORDED, 'utf8')) as {
    answers: { method: string; url: string; answer: unknown }[];
  };
  const account = answers.find(({ url }) => url.endsWith('/v2/account'))!;
  expect(parseAccountTerms(account.answer)).toEqual({
    standing: [],
    dayTradingPower: null,
    mayShort: true,
    mayTradeCoins: true,
    optionsLevel: 1,
  });
});
