// Finding contracts, and their prices.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  monthlyExpiries,
  OPTION_MULTIPLIER,
  OPTION_SETTLEMENTS,
  type OptionContract,
  optionContract,
} from '#engine/market/option-contract.ts';
import { isContractOf } from '#engine/market/derivatives/contract-months.ts';
import type { Symbol } from '#units/identifiers.ts';
import { addDays, type Instant, type IsoDate, utcDate } from '#units/instant.ts';
import type { PriceSource } from '../../market/price-source.ts';
import type { Contract, ContractList } from './contract-list.ts';
import { badRequest, type Gate } from '../session/gate.ts';

export function contractRoutes(
  app: FastifyInstance,
  tools: {
    readonly gate: Gate;
    readonly contracts: ContractList;
    readonly prices: PriceSource;
    readonly now: () => Instant;
  },
): void {
  const { gate, contracts, prices, now } = tools;

  app.get('/trsrv/stocks', (request, reply) => {
    if (!gate.caller(request, reply)) return reply;
    const { symbols } = request.query as { symbols?: string };
    if (!symbols) return badRequest(reply, 'Bad Request: symbols is missing');
    const found = symbols.split(',').map((symbol) => {
      const stock = contracts.all.find(({ secType, name }) => secType === 'STK' && name === symbol);
      return [symbol, stock ? [company(stock)] : []] as const;
    });
    return reply.send(Object.fromEntries(found));
  });

  app.get('/trsrv/futures', (request, reply) => {
    if (!gate.caller(request, reply)) return reply;
    const { symbols } = request.query as { symbols?: string };
    if (!symbols) return badRequest(reply, 'Bad Request: symbols is missing');
    // Expired contracts stay for a while, so that late reports about them can be matched.
    const oldest = addDays(utcDate(now()), -ENDED_SHOWN_DAYS);
    const found = symbols.split(',').map((root) => {
      const months = contracts.all.filter(
        ({ secType, instrument }) =>
          secType === 'FUT' &&
          isContractOf(instrument.symbol, [root as Symbol]) &&
          instrument.expiry! >= oldest,
      );
      return [root, months.slice(0, FUTURES_SHOWN).map((contract) => futureRow(root, contract))] as const;
    });
    return reply.send(Object.fromEntries(found));
  });

  app.get('/trsrv/secdef', (request, reply) => {
    if (!gate.caller(request, reply)) return reply;
    const conids = ((request.query as { conids?: string }).conids ?? '').split(',').map(Number);
    if (conids.length > 200) return badRequest(reply, 'Bad Request: at most 200 conids');
    const found = conids.map((conid) => contracts.byConid(conid)).filter((contract) => contract !== null);
    return reply.send({ secdef: found.map(definition) });
  });

  const search = (request: FastifyRequest, reply: FastifyReply) => {
    if (!gate.trader(request, reply)) return reply;
    const { symbol } = { ...(request.body as object | null), ...(request.query as object) } as {
      symbol?: unknown;
    };
    const wanted = typeof symbol === 'string' ? symbol.toUpperCase() : '';
    const found = contracts.all.filter(({ name, instrument }) =>
      [name, instrument.symbol, instrument.unitCurrency].includes(wanted),
    );
    if (found.length === 0) return reply.code(500).send({ error: 'No symbol found' });
    return reply.send(found.map(searchRow));
  };
  app.get('/iserver/secdef/search', search);
  app.post('/iserver/secdef/search', search);

  /** One option of an underlying, named by month, right and strike. */
  app.get('/iserver/secdef/info', (request, reply) => {
    if (!gate.trader(request, reply)) return reply;
    const { conid, sectype, month = '', right, strike } = request.query as Record<string, string | undefined>;
    const underlying = contracts.byConid(Number(conid));
    if (!underlying || sectype !== 'OPT') return badRequest(reply, 'Bad Request: conid or sectype');
    const from = firstOfMonth(month);
    if (from === null || (right !== 'C' && right !== 'P') || !(Number(strike) > 0))
      return badRequest(reply, 'Bad Request: month, right or strike');
    const terms = {
      underlying: underlying.instrument.symbol,
      right: right === 'C' ? 'call' : 'put',
      strike: Number(strike),
      expiry: monthlyExpiries(from, 1)[0]!,
    } as const;
    const listed = OPTION_SETTLEMENTS.map((settlement) => optionContract({ ...terms, settlement }));
    const quoted = listed.filter(({ symbol }) => prices.quote(symbol, now()) !== null);
    return reply.send(quoted.map((option) => optionRow(contracts.bySymbol(option.symbol), option)));
  });

  app.get('/iserver/currency/pairs', (request, reply) => {
    if (!gate.trader(request, reply)) return reply;
    const { currency } = request.query as { currency?: string };
    if (!currency) return badRequest(reply, 'Bad Request: currency is missing');
    const pairs = contracts.all.filter(({ instrument }) => instrument.kind === 'forex');
    const mine = pairs.filter(({ instrument }) =>
      [instrument.unitCurrency, instrument.currency].includes(currency),
    );
    const rows = mine.map(({ conid, name, instrument }) => ({
      symbol: name,
      conid,
      ccyPair: instrument.unitCurrency === currency ? instrument.currency : instrument.unitCurrency,
    }));
    return reply.send({ [currency]: rows });
  });

  app.get('/iserver/contract/:conid/info', (request, reply) => {
    if (!gate.trader(request, reply)) return reply;
    const contract = contracts.byConid(Number((request.params as { conid: string }).conid));
    if (!contract) return badRequest(reply, 'Bad Request: contract not found');
    return reply.send({
      con_id: contract.conid,
      symbol: contract.name,
      company_name: contract.instrument.name,
      currency: contract.instrument.currency,
      instrument_type: contract.secType,
      exchange: contract.exchange,
      valid_exchanges: `SMART,${contract.exchange}`,
      trading_class: contract.name,
      multiplier: String(contract.instrument.multiplier),
    });
  });
}

function futureRow(root: string, { conid, instrument }: Contract) {
  const day = Number((instrument.expiry ?? '').replaceAll('-', ''));
  return { symbol: root, conid, underlyingConid: 0, expirationDate: day, ltd: day };
}

function optionRow(
  { conid, name, exchange }: Contract,
  { underlying, right, strike, expiry, settlement }: OptionContract,
) {
  return {
    conid,
    symbol: underlying,
    secType: 'OPT',
    exchange,
    right: right === 'call' ? 'C' : 'P',
    strike,
    currency: 'USD',
    multiplier: String(OPTION_MULTIPLIER),
    maturityDate: expiry.replaceAll('-', ''),
    tradingClass: settlement === 'cash' ? `${underlying}E` : underlying,
    desc2: name,
  };
}

/** 'FEB26' is the month of the vendor's options. */
function firstOfMonth(text: string): IsoDate | null {
  const month = MONTHS.indexOf(text.slice(0, 3)) + 1;
  if (month === 0 || !/^[A-Z]{3}\d\d$/.test(text)) return null;
  return `20${text.slice(3)}-${String(month).padStart(2, '0')}-01` as IsoDate;
}

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
/** As long as orders and trades of the last half hour of real time may be listed, at a few seconds a market day. */
const ENDED_SHOWN_DAYS = 200;
const FUTURES_SHOWN = 8;

function company({ conid, instrument, exchange }: Contract) {
  return {
    name: instrument.name.toUpperCase(),
    chineseName: '',
    assetClass: 'STK',
    contracts: [{ conid, exchange, isUS: true }],
  };
}

function definition({ conid, instrument, secType, name, exchange }: Contract) {
  return {
    conid,
    currency: instrument.currency,
    name: instrument.name,
    assetClass: secType,
    ticker: name,
    listingExchange: exchange,
    multiplier: instrument.multiplier,
    isUS: instrument.kind === 'equity',
  };
}

function searchRow({ conid, instrument, secType, name, exchange }: Contract) {
  return {
    conid: String(conid),
    companyHeader: `${instrument.name.toUpperCase()} - ${exchange}`,
    companyName: instrument.name.toUpperCase(),
    symbol: name,
    restricted: null,
    fop: null,
    opt: null,
    war: null,
    sections: [{ secType, exchange }],
  };
}
