// A research run event by event: each fill is a Fill, booked by applyFill on a portfolio, valued by the portfolio's
// own rules. It is the meaning of a run; run-by-columns is the same, faster.
import type { ClientOrderId } from '#units/identifiers.ts';
import { instant } from '#units/instant.ts';
import { micro } from '#units/money.ts';
import { quantity } from '#units/quantity.ts';
import type { Fill } from '../order/order.ts';
import { applyFill, openPortfolio } from '../portfolio/apply-fill.ts';
import type { Portfolio } from '../portfolio/portfolio.ts';
import { valuePortfolio } from '../portfolio/value.ts';
import { prepare } from '../strategy/prepare.ts';
import { deepestFall } from './deepest-fall.ts';
import type { ResearchInput, ResearchResult } from './execution.ts';
import { FillLog } from './fill-log.ts';
import {
  commissionMicro,
  entryPrice,
  entryQuantity,
  type ExitLevels,
  exitLevels,
  exitWithin,
} from './fill-rules.ts';
import { requireResearchable } from './researchable.ts';
import { RoundTripLog } from './round-trip-log.ts';
import { signalCodes, wishOf } from './signal-codes.ts';

export function runByEvents(input: ResearchInput): ResearchResult {
  const rule = requireResearchable(input);
  const prepared = prepare(input.definition, input.series).instruments[0]!;
  const { bars } = prepared;
  const codes = signalCodes(prepared, rule);
  const desk = new Desk(input);
  const equity = new Float64Array(bars.length).fill(input.execution.initialCash);
  let wish = { closes: false, opens: 0 as -1 | 0 | 1 };
  for (let i = prepared.readyBar; i < bars.length; i++) {
    const sameClose = input.execution.fill === 'same_close';
    const market = sameClose ? bars.close[i - 1]! : bars.open[i]!;
    const dated = sameClose ? i - 1 : i;
    if (wish.closes && desk.side !== 0) desk.close(dated, market);
    if (wish.opens !== 0)
      desk.open(dated, market, { direction: wish.opens, signalClose: bars.close[i - 1]! });
    desk.passBar(i, { open: bars.open[i]!, high: bars.high[i]!, low: bars.low[i]! });
    equity[i] = desk.equityAt(bars.close[i]!);
    wish = wishOf(codes[i]!, desk.side, input.execution.repeatedSignal === 'reopens');
  }
  const { fills, trades } = desk;
  const finalEquity = micro(bars.length === 0 ? input.execution.initialCash : equity[bars.length - 1]!);
  return { bars, equity, fills, trades, finalEquity, maxDrawdown: deepestFall(equity) };
}

class Desk {
  side: -1 | 0 | 1 = 0;
  readonly fills = new FillLog();
  readonly trades = new RoundTripLog();
  readonly #input: ResearchInput;
  #portfolio: Portfolio;
  #entry = { bar: 0, price: 0, commission: 0, quantity: 0 };
  #levels: ExitLevels = { stop: Number.NaN, target: Number.NaN };

  constructor(input: ResearchInput) {
    this.#input = input;
    this.#portfolio = openPortfolio(input.execution.initialCash);
  }

  open(bar: number, market: number, how: { readonly direction: -1 | 1; readonly signalClose: number }): void {
    const { execution, instrument, definition } = this.#input;
    const price = entryPrice(market, how.direction, execution.spreadRate);
    const step = instrument.quantityStep;
    const size = entryQuantity(this.#portfolio.cash, { market, entry: price }, { execution, step });
    if (size === 0) return;
    const commission = this.#book(bar, how.direction * size, price);
    this.side = how.direction;
    this.#entry = { bar, price, commission, quantity: how.direction * size };
    this.#levels = exitLevels(how.signalClose, how.direction, definition.exits);
  }

  close(bar: number, price: number): void {
    const { quantity: held, bar: entryBar, price: paid } = this.#entry;
    const before = this.#portfolio.realized + this.#entry.commission;
    const commission = this.#book(bar, -held, price) + this.#entry.commission;
    const pnl = this.#portfolio.realized - before;
    this.trades.add({
      entryBar,
      exitBar: bar,
      quantity: held,
      entryPrice: paid,
      exitPrice: price,
      commission,
      pnl,
    });
    this.side = 0;
  }

  passBar(bar: number, prices: { readonly open: number; readonly high: number; readonly low: number }): void {
    if (this.side === 0) return;
    const price = exitWithin(this.#levels, this.side, prices);
    if (!Number.isNaN(price)) this.close(bar, price);
  }

  equityAt(close: number): number {
    const { instrument } = this.#input;
    const marks = new Map([[instrument.symbol, close]]);
    return valuePortfolio(this.#portfolio, marks, new Map([[instrument.symbol, instrument]])).equity;
  }

  #book(bar: number, traded: number, price: number): number {
    const { instrument, execution } = this.#input;
    const commission = commissionMicro(traded, price, execution.commissionRate);
    const fill: Fill = {
      clientOrderId: 'research' as ClientOrderId,
      symbol: instrument.symbol,
      side: traded > 0 ? 'buy' : 'sell',
      quantity: quantity(Math.abs(traded)),
      price,
      commission: micro(commission),
      at: instant(bar),
    };
    this.#portfolio = applyFill(this.#portfolio, fill, instrument, new Map()).portfolio;
    this.fills.add(bar, traded, price, commission);
    return commission;
  }
}
