// Accounts, positions and cash: these answer without a trading session.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Instant } from '#units/instant.ts';
import { fromMicro } from '#units/money.ts';
import { fromQuantity } from '#units/quantity.ts';
import type { AccountBook, HeldPosition } from './account-book.ts';
import type { ContractList } from '../market-data/contract-list.ts';
import type { Habits } from '../faults/habits.ts';
import { badRequest, type Gate } from '../session/gate.ts';

export function portfolioRoutes(
  app: FastifyInstance,
  tools: {
    readonly gate: Gate;
    readonly accounts: AccountBook;
    readonly contracts: ContractList;
    /** Brings the books up to date and returns the instant. */
    readonly bringUpToDate: () => Instant;
    readonly habits: Habits;
  },
): void {
  const { gate, accounts, contracts, bringUpToDate, habits } = tools;

  app.get('/portfolio/accounts', (request, reply) => {
    const who = gate.caller(request, reply);
    if (!who) return reply;
    who.session.portfolioAsked = true;
    return reply.send(
      who.people.map(({ accountId, userName }) => ({
        id: accountId,
        accountId,
        accountVan: accountId,
        accountTitle: `Practice account of ${userName}`,
        displayName: `Practice account of ${userName}`,
        accountAlias: null,
        accountStatus: 1_769_922_000_000,
        currency: 'USD',
        type: 'DEMO',
        tradingType: 'STKNOPT',
        businessType: 'IB_SALES',
        ibEntity: 'IBLLC-US',
        faclient: false,
        clearingStatus: 'O',
        covestor: false,
        parent: { mmc: [], accountId: '', isMParent: false, isMChild: false, isMultiplex: false },
        desc: accountId,
      })),
    );
  });

  const owner = (request: FastifyRequest, reply: FastifyReply): string | null => {
    const who = gate.caller(request, reply);
    if (!who) return null;
    if (!who.session.portfolioAsked) {
      badRequest(reply, 'Bad Request: Please query /accounts first');
      return null;
    }
    const { accountId } = request.params as { accountId: string };
    if (accountId === who.person.accountId) return accountId;
    badRequest(reply, `Bad Request: accountId is not valid: ${accountId}`);
    return null;
  };

  const open = (accountId: string) => accounts.positions(accountId).filter(({ quantity }) => quantity !== 0);

  app.get('/portfolio/:accountId/positions/:page', (request, reply) => {
    const accountId = owner(request, reply);
    if (!accountId) return reply;
    const at = bringUpToDate();
    const page = Number((request.params as { page: string }).page);
    if (!Number.isInteger(page) || page < 0) return badRequest(reply, 'Bad Request: page');
    const all = open(accountId).map((held) => ({ acctId: accountId, ...pagedRow(line(held, at)) }));
    const rows = habits.positions(all, accountId).slice(page * PAGE_ROWS, (page + 1) * PAGE_ROWS);
    return reply.send(rows);
  });

  app.post('/portfolio/:accountId/positions/invalidate', (request, reply) =>
    owner(request, reply) ? reply.send({ message: 'success' }) : reply,
  );

  app.get('/portfolio2/:accountId/positions', (request, reply) => {
    const accountId = owner(request, reply);
    if (!accountId) return reply;
    const at = bringUpToDate();
    const rows = open(accountId).map((held) => recentRow(line(held, at), at));
    return reply.send(habits.positions(rows, accountId));
  });

  app.get('/portfolio/:accountId/ledger', (request, reply) => {
    const accountId = owner(request, reply);
    if (!accountId) return reply;
    const at = bringUpToDate();
    const value = accounts.value(accountId, at);
    const entry = (currency: string) => ({
      acctcode: accountId,
      cashbalance: fromMicro(value.cash),
      settledcash: fromMicro(value.cash),
      netliquidationvalue: fromMicro(value.netLiquidation),
      stockmarketvalue: fromMicro(value.stockValue),
      cryptocurrencyvalue: fromMicro(value.cryptoValue),
      unrealizedpnl: fromMicro(value.unrealized),
      realizedpnl: fromMicro(value.realized),
      exchangerate: 1,
      interest: 0,
      dividends: 0,
      currency,
      key: 'LedgerList',
      secondkey: currency,
      sessionid: 1,
      severity: 0,
      timestamp: Math.floor(at / 1_000),
    });
    return reply.send({ USD: entry('USD'), BASE: entry('BASE') });
  });

  const line = (held: HeldPosition, at: Instant) => {
    const contract = contracts.bySymbol(held.symbol);
    const units = fromQuantity(held.quantity);
    const { multiplier } = contract.instrument;
    const price = accounts.price(held.symbol, at) ?? fromMicro(held.cost) / units / multiplier;
    const average = fromMicro(held.cost) / units / multiplier;
    return { contract, units, price, average, multiplier, realized: fromMicro(held.realized) };
  };
}

type Line = {
  readonly contract: ReturnType<ContractList['bySymbol']>;
  readonly units: number;
  readonly price: number;
  readonly average: number;
  readonly multiplier: number;
  readonly realized: number;
};

function common({ contract, units, average, multiplier, realized, price }: Line) {
  return {
    position: units,
    currency: contract.instrument.currency,
    avgCost: average * multiplier,
    avgPrice: average,
    realizedPnl: realized,
    unrealizedPnl: (price - average) * units * multiplier,
    assetClass: contract.secType,
    model: '',
  };
}

function pagedRow(line: Line) {
  return {
    ...common(line),
    conid: line.contract.conid,
    contractDesc: line.contract.name,
    ticker: line.contract.name,
    name: line.contract.instrument.name,
    listingExchange: line.contract.exchange,
    mktPrice: line.price,
    mktValue: line.price * line.units * line.multiplier,
    multiplier: line.multiplier,
    strike: '0',
    undConid: 0,
    conExchMap: [],
  };
}

function recentRow(line: Line, at: Instant) {
  return {
    ...common(line),
    conid: String(line.contract.conid),
    description: line.contract.name,
    marketPrice: line.price,
    marketValue: line.price * line.units * line.multiplier,
    secType: line.contract.secType,
    isLastToLoq: false,
    timestamp: Math.floor(at / 1_000),
    sector: null,
    group: null,
  };
}

const PAGE_ROWS = 100;
