// Checks the answers of Alpaca's stand-in against the vendor's published descriptions, which are in the folder `shared` next
// to the project; without them these tests are skipped.
import path from 'node:path';
import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withShareActions } from '#sandbox/market/share-actions.ts';
import { DEFAULT_SEED, simulatedMarket } from '#sandbox/market/simulated-market.ts';
import { mountAlpacaMarketData } from '#sandbox/alpaca/market-data/market-data.ts';
import { answerSchema, misfits, readDescription, type Schema } from '#tests/support/published-description.ts';
import { parseInstant } from '#units/instant.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../../shared/reference/alpaca');
const data = readDescription(path.join(FOLDER, 'data-openapi.yaml'));
const trading = readDescription(path.join(FOLDER, 'trading-openapi.yaml'));
const NOW = parseInstant('2026-11-25T16:00:00Z');

describe.skipIf(data === null)("the stand-in's answers fit the vendor's descriptions", () => {
  const app = Fastify();
  const headers = { 'apca-api-key-id': 'id', 'apca-api-secret-key': 'secret' };
  beforeAll(() => {
    const prices = withShareActions(simulatedMarket(DEFAULT_SEED));
    mountAlpacaMarketData(app, { prices, now: () => NOW, keys: { id: 'id', secret: 'secret' } });
  });
  afterAll(() => app.close());

  const ask = async (url: string): Promise<unknown> => {
    const answer = await app.inject({ method: 'GET', url, headers });
    expect(answer.statusCode).toBe(200);
    return answer.json();
  };
  const bars = 'timeframe=1Day&start=2026-11-02T00:00:00Z&end=2026-11-24T00:00:00Z';
  it.each([
    [data, '/v2/stocks/bars', `?symbols=TLCO,NVSM&${bars}`],
    [data, '/v2/stocks/snapshots', '?symbols=TLCO,NVSM&feed=iex'],
    [trading, '/v2/calendar', '?start=2026-11-20&end=2026-12-04'],
    [trading, '/v2/clock', ''],
  ] as const)('%#: GET %s', async (description, address, query) => {
    const answer = await ask(`${address}${query}`);
    expect(misfits(description, answer, answerSchema(description, 'GET', address))).toEqual([]);
    expect(Object.keys(answer as object).length).toBeGreaterThan(0);
  });

  it('GET /v2/assets/{symbol}, which the description has as a schema alone', async () => {
    const schemas = (trading as unknown as { components: { schemas: Record<string, Schema> } }).components
      .schemas;
    expect(misfits(trading, await ask('/v2/assets/TLCO'), schemas.Assets!)).toEqual([]);
  });

  it('wrong keys are refused, and an unknown share is not found', async () => {
    const wrong = await app.inject({
      method: 'GET',
      url: '/v2/clock',
      headers: { ...headers, 'apca-api-key-id': 'x' },
    });
    expect(wrong.statusCode).toBe(403);
    expect((await app.inject({ method: 'GET', url: '/v2/assets/NOBODY', headers })).statusCode).toBe(404);
  });
});
