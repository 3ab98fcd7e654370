// The instruments that the brokerage lists, each under a contract id that is the same in every run.
import type { Instrument } from '#engine/market/instrument.ts';
import { optionContract, optionInstrument, parseOption } from '#engine/market/option-contract.ts';
import type { Symbol } from '#units/identifiers.ts';
import { DAY_MS, type Instant, instantOfDate, utcDate } from '#units/instant.ts';

export type Contract = {
  readonly conid: number;
  readonly instrument: Instrument;
  readonly secType: string;
  /** As the brokerage writes it: 'SPY', 'EUR.USD', 'BTC'. */
  readonly name: string;
  readonly exchange: string;
};

export type ContractList = {
  /** Without options: there are too many, and each is known by its symbol or its contract id. */
  readonly all: readonly Contract[];
  byConid(conid: number): Contract | null;
  bySymbol(symbol: string): Contract;
};

export function listContracts(instruments: readonly Instrument[]): ContractList {
  const byConid = new Map<number, Contract>();
  const bySymbol = new Map<Symbol, Contract>();
  for (const instrument of [...instruments].sort((a, b) => (a.symbol < b.symbol ? -1 : 1))) {
    let conid = contractId(instrument.symbol);
    while (byConid.has(conid)) conid++;
    const contract = { conid, instrument, ...vendorWords(instrument) };
    byConid.set(conid, contract);
    bySymbol.set(instrument.symbol, contract);
  }
  const underlyings = [...bySymbol.values()].filter(({ secType }) => secType === 'STK');
  return {
    all: [...byConid.values()],
    byConid: (conid) => byConid.get(conid) ?? optionOfConid(conid, underlyings),
    bySymbol(symbol) {
      const contract = bySymbol.get(symbol as Symbol) ?? optionOfSymbol(symbol as Symbol, underlyings);
      if (!contract) throw new Error(`the market no longer has ${symbol}, but the brokerage's books hold it`);
      return contract;
    },
  };
}

function vendorWords(instrument: Instrument): Pick<Contract, 'secType' | 'name' | 'exchange'> {
  const { kind, symbol, unitCurrency, currency } = instrument;
  switch (kind) {
    case 'equity':
      return { secType: 'STK', name: symbol, exchange: 'ARCA' };
    case 'forex':
      return { secType: 'CASH', name: `${unitCurrency}.${currency}`, exchange: 'IDEALPRO' };
    case 'crypto':
      return { secType: 'CRYPTO', name: unitCurrency ?? symbol, exchange: 'PAXOS' };
    case 'futures':
      return { secType: 'FUT', name: symbol, exchange: 'CME' };
    case 'options':
      return { secType: 'OPT', name: symbol, exchange: 'CBOE' };
  }
}

/** Option contract ids encode their contract: 2, underlying (3 digits), day (5), right and settlement (1), strike (4). */
function optionOfSymbol(symbol: Symbol, underlyings: readonly Contract[]): Contract | null {
  const option = parseOption(symbol);
  const index = underlyings.findIndex(({ instrument }) => instrument.symbol === option?.underlying);
  if (option === null || index < 0 || option.strike > 9_999) return null;
  const day = instantOfDate(option.expiry) / DAY_MS;
  const kind = (option.right === 'call' ? 0 : 1) + (option.settlement === 'cash' ? 2 : 0);
  const conid = (((2_000 + index) * 1e5 + day) * 10 + kind) * 1e4 + option.strike;
  const instrument = optionInstrument(option);
  return { conid, instrument, ...vendorWords(instrument) };
}

function optionOfConid(conid: number, underlyings: readonly Contract[]): Contract | null {
  if (!(conid >= 2e13 && conid < 3e13)) return null;
  const underlying = underlyings[Math.floor(conid / 1e10) - 2_000];
  if (underlying === undefined) return null;
  const expiry = utcDate(((Math.floor(conid / 1e5) % 1e5) * DAY_MS) as Instant);
  const kind = Math.floor(conid / 1e4) % 10;
  const right = kind % 2 === 0 ? 'call' : 'put';
  const { symbol } = optionContract({
    underlying: underlying.instrument.symbol,
    right,
    strike: conid % 1e4,
    settlement: kind < 2 ? 'shares' : 'cash',
    expiry,
  });
  return optionOfSymbol(symbol, underlyings);
}

/** FNV-1a of the symbol, folded into nine digits. */
function contractId(symbol: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(symbol)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return 100_000_000 + (hash % 800_000_000);
}
