// Our symbols and the vendor's contract ids, both ways. Looked up once and remembered for all signed-in users.
import { type OptionContract, parseOption } from '#engine/market/option-contract.ts';
import type { Instrument } from '#engine/market/instrument.ts';
import type { BrokerAnswer } from '#ports/broker.ts';
import type { Symbol } from '#units/identifiers.ts';
import { asNumber, asText, type Fields, fieldsOf, reading, rowsOf } from '../answer-fields.ts';
import { failed } from '../exchange.ts';
import type { Priority } from '../pacer.ts';
import type { Ask } from './connection.ts';
import type { VendorInstrument } from './parse-orders.ts';

export type Contract = {
  readonly conid: number;
  readonly secType: 'STK' | 'CASH' | 'CRYPTO' | 'FUT' | 'OPT';
};

export type ContractBook = {
  resolve(symbol: Symbol, ask: AskVendor, priority: Priority): Promise<BrokerAnswer<Contract>>;
  /** Our symbol of a vendor's instrument, null when our catalogue does not hold it. */
  recognize(instrument: VendorInstrument, ask: AskVendor): Promise<BrokerAnswer<Symbol | null>>;
};

export type AskVendor = (ask: Ask) => Promise<BrokerAnswer<unknown>>;

export function createContractBook(findInstrument: (symbol: Symbol) => Instrument | null): ContractBook {
  const bySymbol = new Map<Symbol, Contract>();
  const byConid = new Map<string, Symbol>();

  const resolve: ContractBook['resolve'] = async (symbol, ask, priority) => {
    const known = bySymbol.get(symbol);
    if (known) return { outcome: 'ok', value: known };
    const instrument = findInstrument(symbol);
    if (!instrument) return failed('refused', `${symbol} is not in the catalogue`);
    const found = await lookUp(instrument, ask, priority);
    if (found.outcome === 'ok') {
      bySymbol.set(symbol, found.value);
      byConid.set(String(found.value.conid), symbol);
    }
    return found;
  };

  return {
    resolve,
    async recognize({ conid, name, secType }, ask) {
      const known = byConid.get(conid);
      if (known) return { outcome: 'ok', value: known };
      const symbol = candidateSymbol(name, secType);
      if (!findInstrument(symbol)) return { outcome: 'ok', value: null };
      const contract = await resolve(symbol, ask, 'reconcile');
      if (contract.outcome === 'failed')
        return contract.code === 'refused' ? { outcome: 'ok', value: null } : contract;
      return { outcome: 'ok', value: String(contract.value.conid) === conid ? symbol : null };
    },
  };
}

/** 'EUR.USD' is our EURUSD, the coin 'BTC' (also 'BTC CRYPTO') our BTCUSD. */
function candidateSymbol(name: string, secType: string): Symbol {
  if (secType === 'CASH') return name.replace('.', '') as Symbol;
  if (secType === 'CRYPTO') return `${name.split(' ')[0]}USD` as Symbol;
  return name as Symbol;
}

async function lookUp(
  instrument: Instrument,
  ask: AskVendor,
  priority: Priority,
): Promise<BrokerAnswer<Contract>> {
  const option = parseOption(instrument.symbol);
  if (option !== null) return lookUpOption(option, ask, priority);
  const unit = instrument.unitCurrency ?? '';
  const [path, query, pick] = ((): [string, Record<string, string>, (body: unknown) => Contract | null] => {
    switch (instrument.kind) {
      case 'equity':
        return [
          '/trsrv/stocks',
          { symbols: instrument.symbol },
          (body) => pickStock(body, instrument.symbol),
        ];
      case 'forex':
        return [
          '/iserver/currency/pairs',
          { currency: unit },
          (body) => pickPair(body, unit, instrument.currency),
        ];
      case 'crypto':
        return ['/iserver/secdef/search', { symbol: unit }, (body) => pickCoin(body, unit)];
      case 'futures':
        return [
          '/trsrv/futures',
          { symbols: instrument.symbol.split('.')[0]! },
          (body) => pickFuture(body, instrument),
        ];
      default:
        return ['', {}, () => null];
    }
  })();
  if (path === '') return failed('refused', `${instrument.kind} are not traded through this broker`);
  const answer = await ask({ method: 'GET', path, query, priority });
  if (answer.outcome === 'failed') return answer;
  const picked = reading(() => pick(answer.value));
  if (picked.outcome === 'failed') return picked;
  if (!picked.value) return failed('refused', `the broker does not list ${instrument.symbol}`);
  return { outcome: 'ok', value: picked.value };
}

/** An option is found by its underlying's contract id, its month, its right and its strike. */
async function lookUpOption(
  { symbol, underlying, right, strike, expiry, settlement }: OptionContract,
  ask: AskVendor,
  priority: Priority,
): Promise<BrokerAnswer<Contract>> {
  const stocks = await ask({
    method: 'GET',
    path: '/trsrv/stocks',
    query: { symbols: underlying },
    priority,
  });
  if (stocks.outcome === 'failed') return stocks;
  const stock = reading(() => pickStock(stocks.value, underlying));
  if (stock.outcome === 'failed') return stock;
  if (!stock.value) return failed('refused', `the broker does not list ${underlying}`);
  const answer = await ask({
    method: 'GET',
    path: '/iserver/secdef/info',
    query: {
      conid: String(stock.value.conid),
      sectype: 'OPT',
      month: `${MONTHS[Number(expiry.slice(5, 7)) - 1]}${expiry.slice(2, 4)}`,
      right: right === 'call' ? 'C' : 'P',
      strike: String(strike),
    },
    priority,
  });
  if (answer.outcome === 'failed') return answer;
  const picked = reading(() =>
    pickOption(answer.value, expiry, settlement === 'cash' ? `${underlying}E` : null),
  );
  if (picked.outcome === 'failed') return picked;
  if (!picked.value) return failed('refused', `the broker does not list ${symbol}`);
  return { outcome: 'ok', value: picked.value };
}

/** `ownClass` names the class of options that settle in cash, which share month and strike with those on shares. */
export function pickOption(body: unknown, expiry: string, ownClass: string | null = null): Contract | null {
  const day = expiry.replaceAll('-', '');
  const isWanted = (row: Fields) =>
    ownClass === null ? asText(row.tradingClass) !== `${asText(row.symbol)}E` : row.tradingClass === ownClass;
  const line = rowsOf(body, 'the options').find((row) => String(row.maturityDate) === day && isWanted(row));
  return contract(line?.conid, 'OPT');
}

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

/** The line listed on an American primary exchange: foreign lines and depositary receipts share the symbol. */
export function pickStock(body: unknown, symbol: string): Contract | null {
  const lines = rowsOf(fieldsOf(body, 'the stocks')[symbol] ?? [], symbol)
    .filter((company) => company.assetClass === 'STK')
    .flatMap((company) => rowsOf(company.contracts, 'the contracts'))
    .filter((line) => line.isUS === true);
  const primary = lines.find((line) => PRIMARY_EXCHANGES.has(asText(line.exchange) ?? ''));
  return contract((primary ?? (lines.length === 1 ? lines[0] : undefined))?.conid, 'STK');
}

/** The contract of a root that ends on the day of ours; the vendor writes days as 20260320. */
export function pickFuture(
  body: unknown,
  { symbol, expiry }: Pick<Instrument, 'symbol' | 'expiry'>,
): Contract | null {
  const root = symbol.split('.')[0]!;
  const lines = rowsOf(fieldsOf(body, 'the futures')[root] ?? [], root);
  const day = (expiry ?? '').replaceAll('-', '');
  return contract(lines.find((line) => String(line.expirationDate) === day)?.conid, 'FUT');
}

export function pickPair(body: unknown, base: string, quote: string): Contract | null {
  const pairs = rowsOf(fieldsOf(body, 'the currency pairs')[base] ?? [], base);
  return contract(pairs.find((pair) => pair.symbol === `${base}.${quote}`)?.conid, 'CASH');
}

export function pickCoin(body: unknown, coin: string): Contract | null {
  const sectionOf = (row: Fields) =>
    rowsOf(row.sections ?? [], 'the sections').find((section) => section.secType === 'CRYPTO');
  const row = rowsOf(body, 'the search').find((found) => found.symbol === coin && sectionOf(found));
  return row ? contract(sectionOf(row)?.conid ?? row.conid, 'CRYPTO') : null;
}

function contract(conid: unknown, secType: Contract['secType']): Contract | null {
  const id = asNumber(conid);
  return id === null ? null : { conid: id, secType };
}

const PRIMARY_EXCHANGES: ReadonlySet<string> = new Set(['NASDAQ', 'NYSE', 'ARCA', 'AMEX', 'BATS']);
