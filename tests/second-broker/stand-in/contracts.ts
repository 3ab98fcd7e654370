// The stand-in's contract ids, and the answers in which it names them: foreign lines and receipts first, as the vendor does.
import type { Listed } from './market-world.ts';
import type { SecurityType } from './trading-days.ts';

export type Contract = {
  readonly conid: number;
  readonly symbol: string;
  /** The name in rows: BTC for our BTCUSD, EUR.USD for EURUSD. */
  readonly name: string;
  readonly type: SecurityType;
  /** The smallest size, in units. */
  readonly step: number;
  readonly decimals: number;
  readonly company: string;
  readonly unit: string;
  readonly currency: string;
};

const TYPES: Readonly<Record<string, SecurityType>> = { equity: 'STK', forex: 'CASH', crypto: 'CRYPTO' };

export class ContractTable {
  readonly #all: readonly Contract[];

  constructor(listed: readonly Listed[]) {
    this.#all = listed.flatMap((one, index) => {
      const type = TYPES[one.kind];
      return type === undefined ? [] : [contractOf(one, type, 415_000_000 + 37 * index)];
    });
  }

  byConid(conid: unknown): Contract | undefined {
    const number = Number(String(conid).split('@')[0]);
    return this.#all.find((contract) => contract.conid === number);
  }

  bySymbol(symbol: string): Contract {
    const found = this.#all.find((contract) => contract.symbol === symbol);
    if (found === undefined) throw new Error(`no contract is called ${symbol}`);
    return found;
  }

  ofType(type: SecurityType): readonly Contract[] {
    return this.#all.filter((contract) => contract.type === type);
  }

  stocks(symbols: readonly string[]): object {
    const entries = symbols.map((symbol) => {
      const found = this.ofType('STK').find((one) => one.symbol === symbol);
      if (found === undefined) return [symbol, []];
      const receipt = { conid: found.conid + 1, exchange: 'TSE', isUS: false };
      const foreign = { conid: found.conid + 2, exchange: 'MEXI', isUS: false };
      const own = { conid: found.conid, exchange: 'NASDAQ.NMS', isUS: true };
      return [
        symbol,
        [
          { name: `${found.company}-CDR`, chineseName: null, assetClass: 'STK', contracts: [receipt] },
          { name: found.company, chineseName: null, assetClass: 'STK', contracts: [foreign, own] },
        ],
      ];
    });
    return Object.fromEntries(entries) as object;
  }

  pairs(currency: string): object {
    const rows = this.ofType('CASH')
      .filter(({ unit, currency: other }) => unit === currency || other === currency)
      .map(({ name, conid, unit, currency: other }) => ({
        symbol: name,
        conid,
        ccyPair: unit === currency ? other : unit,
      }));
    return { [currency]: rows };
  }

  search(symbol: string): readonly object[] {
    const coins = this.ofType('CRYPTO').filter(({ name }) => name === symbol);
    const shares = this.ofType('STK').filter((one) => one.symbol === symbol);
    const rowOf = (conid: number, company: string, sections: readonly object[]) => ({
      conid: String(conid),
      companyHeader: `${company} - SMART`,
      companyName: company,
      symbol,
      description: 'SMART',
      restricted: null,
      sections,
    });
    return [
      rowOf(2_147_483_647, `${symbol} bonds`, [{ secType: 'BOND' }]),
      ...coins.map(({ conid, company }) =>
        rowOf(conid, company, [{ secType: 'CRYPTO', exchange: 'PAXOS;', conid: String(conid) }]),
      ),
      ...shares.map(({ conid, company }) => rowOf(conid, company, [{ secType: 'STK' }])),
    ];
  }
}

function contractOf(listed: Listed, type: SecurityType, conid: number): Contract {
  const unit = listed.unitCurrency ?? '';
  const name = type === 'STK' ? listed.symbol : type === 'CRYPTO' ? unit : `${unit}.${listed.currency}`;
  return {
    conid,
    symbol: listed.symbol,
    name,
    type,
    step: listed.quantityStep / 1e8,
    decimals: listed.priceDecimals,
    company: listed.name,
    unit,
    currency: listed.currency,
  };
}
