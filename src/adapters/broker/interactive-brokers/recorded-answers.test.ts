// Parses recorded vendor responses from the folder `shared` next to the project; skipped without that folder.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { toMicro } from '#units/money.ts';
import { toQuantity } from '#units/quantity.ts';
import { pickStock } from './market-data/contracts.ts';
import { parseBars, parseSearch } from './market-data/market-data.ts';
import { parseOrders, parseOrderStatus, parseTrades } from './orders/parse-orders.ts';
import { parseAccounts, parseLedger, parsePositions } from './portfolio/parse-portfolio.ts';
import { parseSubmitAnswer } from './orders/parse-submit-answer.ts';

const file = path.resolve(import.meta.dirname, '../../../../../shared/reference/ibkr-recorded-fixtures.json');
type Recording = { Response: { StatusCode: number; Body: unknown } };
const recordings = existsSync(file)
  ? (JSON.parse(readFileSync(file, 'utf8')) as { fixtures: Record<string, Recording> }).fixtures
  : null;

describe.skipIf(!recordings)("the vendor's recorded answers", () => {
  const recorded = (name: string) => {
    const found = recordings?.[`${name}.json`];
    if (!found) throw new Error(`no recording ${name}`);
    return found.Response;
  };
  const submitted = (name: string) => {
    const { StatusCode: status, Body: body } = recorded(name);
    return parseSubmitAnswer({ kind: 'answered', status, body, text: JSON.stringify(body) });
  };

  it('are read as accounts', () => {
    expect(parseAccounts(recorded('Portfolio/GET-portfolio-accounts').Body)).toEqual([
      { accountId: 'U1234567', title: 'Test User', currency: 'USD' },
    ]);
  });

  it('are read as positions, from either list', () => {
    const [paged] = parsePositions(recorded('Portfolio/GET-portfolio-positions-page0').Body).rows;
    expect(paged).toEqual({
      account: 'U1234567',
      instrument: { conid: '320227571', name: 'QQQ', secType: 'STK' },
      quantity: toQuantity(3),
      averagePrice: 584.31333335,
      marketPrice: 584.6799927,
      currency: 'USD',
    });
    const recent = parsePositions(recorded('Portfolio/GET-portfolio2-positions').Body).rows;
    expect(recent.map(({ instrument, quantity }) => [instrument.conid, quantity])).toEqual([
      ['320227571', toQuantity(3)],
      ['756733', toQuantity(44)],
    ]);
  });

  it('are read as cash', () => {
    expect(parseLedger(recorded('Portfolio/GET-portfolio-ledger').Body)).toEqual({
      currency: 'USD',
      cash: toMicro(971_869.6),
      netLiquidation: toMicro(1_005_165.5),
    });
  });

  it('are read as no orders and no trades', () => {
    expect(parseOrders(recorded('Orders/GET-live-orders-empty').Body)).toEqual({
      rows: [],
      spoilt: [],
      snapshot: false,
    });
    expect(parseTrades(recorded('Orders/GET-trades-empty').Body)).toEqual({ rows: [], spoilt: [] });
  });

  it('are read as a single order from the order endpoint', () => {
    expect(parseOrderStatus(recorded('Orders/GET-order-status').Body)).toMatchObject({
      brokerOrderId: '473740665',
      instrument: { conid: '756733', name: 'SPY', secType: 'STK' },
      side: 'buy',
      quantity: toQuantity(1),
      filled: toQuantity(1),
      limitPrice: null,
      status: 'filled',
    });
  });

  it('are read as bars, and as contracts that are found', () => {
    const { bars, malformed } = parseBars(recorded('MarketData/GET-history').Body);
    expect(malformed).toBeNull();
    expect(bars.length).toBeGreaterThan(0);
    expect(bars[0]?.open).toBe(646.42);
    const found = parseSearch(recorded('Contracts/GET-secdef-search').Body);
    expect(found.map(({ brokerInstrumentId }) => brokerInstrumentId)).toEqual(['756733', '38709152']);
  });

  it('are read as an accepted order, directly and after a reply', () => {
    expect(submitted('Orders/POST-place-order-submitted')).toEqual({
      shape: 'accepted',
      brokerOrderId: '123456789',
    });
    expect(submitted('Orders/POST-reply-submitted')).toEqual({
      shape: 'accepted',
      brokerOrderId: '987654321',
    });
  });

  it('select the American listing of a share, not a foreign one or a depositary receipt', () => {
    expect(pickStock(recorded('Contracts/GET-trsrv-stocks').Body, 'AAPL')).toEqual({
      conid: 265_598,
      secType: 'STK',
    });
  });
});
