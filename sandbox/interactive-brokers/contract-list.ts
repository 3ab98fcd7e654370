// The instruments that the brokerage lists, each under a contract id that is the same in every run.
import type { Instrument } from '#engine/market/instrument.ts';
import type { Symbol } from '#units/identifiers.ts';

export type Contract = {
  readonly conid: number;
  readonly instrument: Instrument;
  readonly secType: string;
  /** As the brokerage writes it: 'SPY', 'EUR.USD', 'BTC'. */
  readonly name: string;
  readonly exchange: string;
};

export type ContractList = {
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
  return {
    all: [...byConid.values()],
    byConid: (conid) => byConid.get(conid) ?? null,
    bySymbol(symbol) {
      const contract = bySymbol.get(symbol as Symbol);
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

/** FNV-1a of the symbol, folded into nine digits. */
function contractId(symbol: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(symbol)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return 100_000_000 + (hash % 800_000_000);
}
