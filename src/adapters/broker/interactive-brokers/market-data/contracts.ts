// Our symbols and the vendor's contract ids, both ways. Looked up once and cached for all users.
import { type OptionContract, parseOption } from '#engine/market/option-contract.ts';
import type { Instrument } from '#engine/market/instrument.ts';
import type { BrokerAnswer } from '#ports/broker.ts';
import type { Symbol } from '#units/identifiers.ts';
import { asFlag, asNumber, asText, type Fields, fieldsOf, reading, rowsOf } from '../../answer-fields.ts';
import { type BrokerTickers, OUR_SYMBOLS } from '../../broker-tickers.ts';
import { failed } from '../../exchange.ts';
import type { Priority } from '../../rate-limits.ts';
import type { Ask } from '../connection.ts';
import type { VendorInstrument } from '../orders/vendor-row.ts';
import { type Contract, type ContractStore, readContract } from './contract-store.ts';

export type ContractBook = {
  /** The vendor refused something about it: the next order looks it up again. */
  forget(symbol: Symbol): Promise<void>;
  resolve(symbol: Symbol, ask: AskVendor, priority: Priority): Promise<BrokerAnswer<Contract>>;
  /** Our symbol of a vendor's instrument, null when it is not in our catalogue. */
  recognize(instrument: VendorInstrument, ask: AskVendor): Promise<BrokerAnswer<Symbol | null>>;
};

type AskVendor = (ask: Ask) => Promise<BrokerAnswer<unknown>>;

type Keeping = { readonly store?: ContractStore | undefined; readonly tickers?: () => BrokerTickers };

export function createContractBook(
  findInstrument: (symbol: Symbol) => Instrument | null,
  { store, tickers = OUR_SYMBOLS }: Keeping = {},
): ContractBook {
  const bySymbol = new Map<Symbol, Contract>();
  const byConid = new Map<string, Symbol>();
  /** The derivative that the vendor's definition names, whether or not it is in our catalogue. */
  const defined = new Map<string, Symbol | null>();

  /** Look-ups in flight: everyone who needs the same one waits for it. */
  const finding = new Map<Symbol, Promise<BrokerAnswer<Contract>>>();

  const isListed = (symbol: Symbol | null) => symbol !== null && findInstrument(symbol) !== null;
  const learn = (symbol: Symbol, contract: Contract): BrokerAnswer<Contract> => {
    bySymbol.set(symbol, contract);
    byConid.set(String(contract.conid), symbol);
    return { outcome: 'ok', value: contract };
  };
  const find = async (
    symbol: Symbol,
    ask: AskVendor,
    priority: Priority,
  ): Promise<BrokerAnswer<Contract>> => {
    const instrument = findInstrument(symbol);
    if (!instrument) return failed('refused', `${symbol} is not in the catalogue`);
    const kept = readContract(await store?.find(symbol).catch(() => null));
    if (kept !== null) return learn(symbol, kept);
    const found = await lookUp(instrument, { ask, priority, tickerOf: tickers().tickerOf });
    if (found.outcome === 'failed') return found;
    await store?.keep(symbol, found.value).catch(() => undefined);
    return learn(symbol, found.value);
  };
  const resolve: ContractBook['resolve'] = async (symbol, ask, priority) => {
    for (;;) {
      const known = bySymbol.get(symbol);
      if (known) return { outcome: 'ok', value: known };
      const others = finding.get(symbol);
      if (others === undefined) break;
      // It failed over somebody else's session, which says nothing about ours.
      await others;
    }
    const mine = find(symbol, ask, priority).finally(() => finding.delete(symbol));
    finding.set(symbol, mine);
    return mine;
  };

  return {
    resolve,
    async forget(symbol) {
      const known = bySymbol.get(symbol);
      bySymbol.delete(symbol);
      if (known) byConid.delete(String(known.conid));
      await store?.drop(symbol).catch(() => undefined);
    },
    async recognize({ conid, name, secType }, ask) {
      const known = byConid.get(conid);
      if (known) return { outcome: 'ok', value: known };
      let symbol = candidateSymbol(name, secType, tickers());
      if (!isListed(symbol) && DERIVATIVES.has(secType) && !defined.has(conid)) {
        const named = await askDefinition(conid, { ask, symbolOf: tickers().symbolOf });
        if (named.outcome === 'failed') return named;
        defined.set(conid, named.value);
      }
      symbol = defined.get(conid) ?? symbol;
      if (symbol === null || !isListed(symbol)) return { outcome: 'ok', value: null };
      const contract = await resolve(symbol, ask, 'reconcile');
      if (contract.outcome === 'failed')
        return contract.code === 'refused' ? { outcome: 'ok', value: null } : contract;
      return { outcome: 'ok', value: String(contract.value.conid) === conid ? symbol : null };
    },
  };
}

/** The derivative that an id stands for; null for one that the vendor does not define. */
async function askDefinition(
  conid: string,
  { ask, symbolOf }: { readonly ask: AskVendor } & Pick<BrokerTickers, 'symbolOf'>,
): Promise<BrokerAnswer<Symbol | null>> {
  const definition = await ask({
    method: 'GET',
    path: '/trsrv/secdef',
    query: { conids: conid },
    priority: 'reconcile',
  });
  if (definition.outcome === 'failed' && definition.code !== 'refused') return definition;
  const terms = definition.outcome === 'ok' ? definition.value : { secdef: [] };
  return reading(() => derivativeSymbol(terms, conid, symbolOf));
}

/** 'EUR.USD' is our EURUSD, the coin 'BTC' (also 'BTC CRYPTO') our BTCUSD. */
function candidateSymbol(name: string, secType: string, { symbolOf }: BrokerTickers): Symbol | null {
  if (secType === 'CASH') return name.replace('.', '') as Symbol;
  if (secType === 'CRYPTO') return `${name.split(' ')[0]}USD` as Symbol;
  return secType === 'STK' ? symbolOf(name) : (name as Symbol);
}

/** Orders and trades name a derivative only by its underlying; the contract definition identifies it. */
export function derivativeSymbol(
  body: unknown,
  conid: string,
  symbolOf: BrokerTickers['symbolOf'] = OUR_SYMBOLS().symbolOf,
): Symbol | null {
  const found = rowsOf(fieldsOf(body, 'the definitions').secdef, 'the definitions').find(
    (row) => asText(row.conid) === conid,
  );
  const root = asText(found?.ticker);
  const day = /^20(\d\d)(\d\d)(\d\d)$/.exec(asText(found?.expiry) ?? asText(found?.lastTradingDay) ?? '');
  if (found === undefined || root === null || day === null) return null;
  const [, year, month, date] = day;
  if (found.assetClass === 'FUT') return `${root}.20${year}${MONTH_LETTERS[Number(month) - 1]}` as Symbol;
  const right = asText(found.putOrCall)?.slice(0, 1).toUpperCase();
  const strike = asNumber(found.strike);
  if (strike === null || (right !== 'C' && right !== 'P')) return null;
  const mark = asText(found.tradingClass) === `${root}E` ? 'E' : '';
  const underlying = symbolOf(root);
  return underlying && (`${underlying}.${year}${month}${date}${right}${strike}${mark}` as Symbol);
}

const DERIVATIVES: ReadonlySet<string> = new Set(['FUT', 'OPT']);
/** The month codes of futures, January to December. */
const MONTH_LETTERS = 'FGHJKMNQUVXZ';

type LookUp = {
  readonly ask: AskVendor;
  readonly priority: Priority;
} & Pick<BrokerTickers, 'tickerOf'>;

async function lookUp(instrument: Instrument, terms: LookUp): Promise<BrokerAnswer<Contract>> {
  const option = parseOption(instrument.symbol);
  if (option !== null) return lookUpOption(option, terms);
  const { ask, priority } = terms;
  const ticker = terms.tickerOf(instrument.symbol);
  const unit = instrument.unitCurrency ?? '';
  const [path, query, pick] = ((): [string, Record<string, string>, (body: unknown) => Contract | null] => {
    switch (instrument.kind) {
      case 'equity':
        return ['/trsrv/stocks', { symbols: ticker }, (body) => pickStock(body, ticker)];
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
  { symbol, underlying: share, right, strike, expiry, settlement }: OptionContract,
  { ask, priority, tickerOf }: LookUp,
): Promise<BrokerAnswer<Contract>> {
  const underlying = tickerOf(share);
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
  // The vendor returns options only after a search for their underlying.
  const searched = await ask({
    method: 'GET',
    path: '/iserver/secdef/search',
    query: { symbol: underlying },
    priority,
  });
  if (searched.outcome === 'failed') return searched;
  const terms = { right: right === 'call' ? 'C' : 'P', strike } as const;
  const answer = await ask({
    method: 'GET',
    path: '/iserver/secdef/info',
    query: {
      conid: String(stock.value.conid),
      sectype: 'OPT',
      month: `${MONTHS[Number(expiry.slice(5, 7)) - 1]}${expiry.slice(2, 4)}`,
      right: terms.right,
      strike: String(strike),
    },
    priority,
  });
  if (answer.outcome === 'failed') return answer;
  const picked = reading(() =>
    pickOption(answer.value, expiry, { ownClass: settlement === 'cash' ? `${underlying}E` : null, terms }),
  );
  if (picked.outcome === 'failed') return picked;
  if (!picked.value) return failed('refused', `the broker does not list ${symbol}`);
  return { outcome: 'ok', value: picked.value };
}

/** `ownClass` is the class of cash-settled options, which share month and strike with options on shares. */
export function pickOption(
  body: unknown,
  expiry: string,
  { ownClass = null, terms = {} }: { readonly ownClass?: string | null; readonly terms?: OptionTerms } = {},
): Contract | null {
  const day = expiry.replaceAll('-', '');
  const isClass = (row: Fields) =>
    ownClass === null ? asText(row.tradingClass) !== `${asText(row.symbol)}E` : row.tradingClass === ownClass;
  const isAsked = (row: Fields) => asText(row.maturityDate) === day && isClass(row) && isTerms(row, terms);
  // A single entry comes without an enclosing list.
  const line = rowsOf(Array.isArray(body) ? body : [body], 'the options').find(isAsked);
  return contract(line?.conid, 'OPT');
}

type OptionTerms = { readonly right?: 'C' | 'P'; readonly strike?: number };

/** An entry's right and strike, when given, must match the request; when missing, the request applies. */
function isTerms(row: Fields, { right, strike }: OptionTerms): boolean {
  const reported = asText(row.right)?.slice(0, 1).toUpperCase();
  const level = asNumber(row.strike);
  return (
    (right === undefined || reported === undefined || reported === right) &&
    (strike === undefined || level === null || level === 0 || level === strike)
  );
}

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

/** The listing on an American primary exchange: foreign listings and depositary receipts share the symbol. */
export function pickStock(body: unknown, symbol: string): Contract | null {
  const lines = rowsOf(fieldsOf(body, 'the stocks')[symbol] ?? [], symbol)
    .filter((company) => company.assetClass === 'STK')
    .flatMap((company) => rowsOf(company.contracts, 'the contracts'))
    .filter((line) => asFlag(line.isUS) === true);
  const primary = lines.find((line) => PRIMARY_EXCHANGES.has((asText(line.exchange) ?? '').split('.')[0]!));
  return contract((primary ?? (lines.length === 1 ? lines[0] : undefined))?.conid, 'STK');
}

/** The contract of a root that expires on our expiry day; the vendor writes days as 20260320. */
export function pickFuture(
  body: unknown,
  { symbol, expiry }: Pick<Instrument, 'symbol' | 'expiry'>,
): Contract | null {
  const root = symbol.split('.')[0]!;
  const lines = rowsOf(fieldsOf(body, 'the futures')[root] ?? [], root);
  const day = (expiry ?? '').replaceAll('-', '');
  return contract(lines.find((line) => asText(line.expirationDate) === day)?.conid, 'FUT');
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

/** Cached for all users, so an invalid contract id must never be accepted. */
function contract(conid: unknown, secType: Contract['secType']): Contract | null {
  const id = asNumber(conid);
  return id !== null && Number.isSafeInteger(id) && id > 0 ? { conid: id, secType } : null;
}

const PRIMARY_EXCHANGES: ReadonlySet<string> = new Set(['NASDAQ', 'NYSE', 'ARCA', 'AMEX', 'BATS']);
