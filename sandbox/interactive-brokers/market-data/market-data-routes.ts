// Prices: snapshots, which answer nothing at the first asking, daily history, sessions and trading rules.
import type { FastifyInstance } from 'fastify';
import { session } from '#engine/market/calendar.ts';
import { addDays, type Instant, isoText, utcDate } from '#units/instant.ts';
import { fromQuantity } from '#units/quantity.ts';
import type { PriceSource } from '../../market/price-source.ts';
import type { ContractList } from './contract-list.ts';
import { badRequest, type Gate } from '../session/gate.ts';
import { quoteFields } from './quote-fields.ts';

export function marketDataRoutes(
  app: FastifyInstance,
  tools: {
    readonly gate: Gate;
    readonly contracts: ContractList;
    readonly prices: PriceSource;
    readonly now: () => Instant;
  },
): void {
  const { gate, contracts, prices, now } = tools;

  app.get('/iserver/marketdata/snapshot', (request, reply) => {
    const who = gate.trader(request, reply);
    if (!who) return reply;
    const { conids = '', fields = '' } = request.query as { conids?: string; fields?: string };
    const at = now();
    return reply.send(
      conids.split(',').map((text) => {
        const conid = Number(text);
        const contract = contracts.byConid(conid);
        const isPrimed = who.brokerage.snapshotsPrimed.has(conid);
        who.brokerage.snapshotsPrimed.add(conid);
        const identity = { conid, conidEx: text };
        if (!contract || !isPrimed) return identity;
        return { ...identity, _updated: at, ...quoteFields(contract, prices, at, fields.split(',')) };
      }),
    );
  });

  app.get('/iserver/marketdata/unsubscribeall', (request, reply) => {
    const who = gate.trader(request, reply);
    if (!who) return reply;
    who.brokerage.snapshotsPrimed.clear();
    return reply.send({ unsubscribed: true });
  });

  app.get('/iserver/marketdata/history', (request, reply) => {
    if (!gate.trader(request, reply)) return reply;
    const { conid, period = '1d', bar } = request.query as Record<string, string | undefined>;
    const contract = contracts.byConid(Number(conid));
    const days = periodDays(period);
    if (!contract || days === null) return badRequest(reply, 'Bad Request: conid or period');
    if (bar !== '1d')
      return reply
        .code(500)
        .send({ error: 'No data: this brokerage keeps daily bars only', statusCode: 500 });
    const at = now();
    const { symbol, calendar, priceDecimals } = contract.instrument;
    const to = addDays(utcDate(at), 1);
    const bars = prices.dailyBars(symbol, { from: addDays(utcDate(at), -days), to, asOf: at });
    const opens = (date: (typeof bars)[number]['date']) => session(calendar, date)?.opensAt ?? 0;
    return reply.send({
      serverId: String(contract.conid),
      symbol: contract.name,
      text: contract.instrument.name,
      priceFactor: 10 ** priceDecimals,
      startTime: `${isoText(at).slice(0, 10).replaceAll('-', '')}-${isoText(at).slice(11, 19)}`,
      timePeriod: period,
      barLength: 86_400,
      mdAvailability: 'S',
      mktDataDelay: 0,
      outsideRth: false,
      volumeFactor: 1,
      priceDisplayRule: 1,
      priceDisplayValue: String(priceDecimals),
      negativeCapable: false,
      messageVersion: 2,
      data: bars.map(({ open, high, low, close, volume, date }) => ({
        o: open,
        c: close,
        h: high,
        l: low,
        v: volume,
        t: opens(date),
      })),
      points: Math.max(0, bars.length - 1),
      travelTime: 1,
    });
  });

  app.get('/contract/trading-schedule', (request, reply) => {
    if (!gate.caller(request, reply)) return reply;
    const contract = contracts.byConid(Number((request.query as { conid?: string }).conid));
    if (!contract) return badRequest(reply, 'Bad Request: contract not found');
    const today = utcDate(now());
    const schedules: Record<string, object> = {};
    for (let ahead = 0; ahead < SCHEDULE_DAYS; ahead++) {
      const found = session(contract.instrument.calendar, addDays(today, ahead));
      if (!found) continue;
      const hours = [{ opening: found.opensAt / 1_000, closing: found.closesAt / 1_000 }];
      schedules[found.date.replaceAll('-', '')] = { liquid_hours: hours, extended_hours: hours };
    }
    return reply.send({ exchange_time_zone: 'US/Eastern', schedules });
  });

  app.post('/iserver/contract/rules', (request, reply) => {
    const who = gate.trader(request, reply);
    if (!who) return reply;
    const contract = contracts.byConid(Number((request.body as { conid?: unknown } | null)?.conid));
    if (!contract) return badRequest(reply, 'Bad Request: contract not found');
    const { quantityStep, priceDecimals } = contract.instrument;
    return reply.send({
      algoEligible: false,
      allOrNoneEligible: false,
      costReport: false,
      canTradeAcctIds: who.people.map(({ accountId }) => accountId),
      error: null,
      orderTypes: ['limit', 'market', 'stop'],
      ibAlgoTypes: [],
      fraqTypes: [],
      cqtTypes: [],
      orderTypesOutside: [],
      tifTypes: ['DAY/o,a', 'GTC/o,a'],
      preview: true,
      sizeIncrement: fromQuantity(quantityStep),
      increment: 1 / 10 ** priceDecimals,
      incrementDigits: priceDecimals,
      hasSecondary: false,
      negativeCapable: false,
    });
  });
}

/** '6d', '2w', '3m', '1y' in calendar days. */
function periodDays(period: string): number | null {
  const match = /^(\d{1,4})([dwmy])$/.exec(period);
  const unit = { d: 1, w: 7, m: 31, y: 366 }[match?.[2] ?? ''];
  return match && unit ? Math.min(Number(match[1]) * unit, 3_660) : null;
}

const SCHEDULE_DAYS = 7;
