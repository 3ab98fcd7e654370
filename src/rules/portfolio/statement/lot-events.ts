// What was booked for a deployment, as events of tax lots. Only of what is paid in full: a margin position costs nothing to
// open, and its gains are as they were booked.
import { type Adjustment, withoutShortfall } from '#engine/market/adjustment.ts';
import type { Instrument } from '#engine/market/instrument.ts';
import { inUnitsOfNow } from '#engine/portfolio/apply-fill.ts';
import type { Symbol } from '#units/identifiers.ts';
import { type IsoDate, utcDate } from '#units/instant.ts';
import { type Micro, micro, notional, ZERO_MICRO } from '#units/money.ts';
import { type Quantity, quantity } from '#units/quantity.ts';
import type { LotEvent, LotTrade } from '../tax-lots/tax-lot.ts';
import type { BookedEvent, Instruments, StatementBooks } from './statement-books.ts';

export type PlacedLotEvent = { readonly place: number; readonly event: LotEvent };

/** In the order of booking. Throws RangeError on an instrument that is not known. */
export function lotEvents(books: StatementBooks, instruments: Instruments): readonly PlacedLotEvent[] {
  const lots = new LotWriter(books.id, instruments);
  books.events.forEach(({ afterEntry, date, event, entitled }, i) => {
    const place = books.transactions.find((one) => one.place > afterEntry)?.place ?? afterEntry + 1;
    const id = `${event.type}:${String(i)}`;
    if (event.type === 'adjustment') lots.adjust(place, { id, date, adjustment: event });
    else lots.happen(place, { id, date, event, entitled });
  });
  // After the events: one that moves no money has the place of the next booking, and comes before it.
  for (const { id, place, fill } of books.fills) {
    const { units, price } = inUnitsOfNow(fill);
    const signed = fill.side === 'buy' ? units : quantity(-units);
    lots.trade(place, {
      id,
      symbol: fill.symbol,
      date: utcDate(fill.at),
      units: signed,
      price,
      commission: fill.commission,
    });
  }
  return lots.placed.toSorted((left, right) => left.place - right.place);
}

type Priced = {
  readonly id: string;
  readonly symbol: Symbol;
  readonly date: IsoDate;
  readonly units: Quantity;
  readonly price: number;
  readonly commission: Micro;
};

class LotWriter {
  readonly placed: PlacedLotEvent[] = [];
  readonly #holding: string;
  readonly #instruments: Instruments;

  constructor(holding: string, instruments: Instruments) {
    this.#holding = holding;
    this.#instruments = instruments;
  }

  trade(place: number, { id, symbol, date, units, price, commission }: Priced): void {
    const instrument = this.#instrument(symbol);
    if (units === 0 || instrument.settlement === 'margin') return;
    const amount = micro(Math.abs(notional(units, price, instrument.multiplier)));
    const trade: LotTrade = {
      type: 'trade',
      id,
      holding: this.#holding,
      symbol,
      date,
      units,
      amount,
      commission,
    };
    this.#place(place, trade);
  }

  adjust(
    place: number,
    {
      id,
      date,
      adjustment,
    }: { readonly id: string; readonly date: IsoDate; readonly adjustment: Adjustment },
  ): void {
    const { undoes, books } = withoutShortfall(adjustment);
    const { symbol } = adjustment;
    if (undoes !== null) {
      const back = { units: quantity(-undoes.units), commission: micro(-undoes.commission) };
      this.trade(place, { id: `${id}:undone`, symbol, date, price: undoes.price, ...back });
    }
    if (books !== null) this.trade(place, { id, symbol, date, ...books });
  }

  happen(
    place: number,
    {
      id,
      date,
      event,
      entitled,
    }: { readonly id: string; readonly date: IsoDate } & Pick<BookedEvent, 'event' | 'entitled'>,
  ): void {
    const at = { id, date, symbol: event.symbol, commission: ZERO_MICRO };
    switch (event.type) {
      case 'split':
        if (this.#instrument(event.symbol).settlement === 'cash')
          this.#place(place, {
            type: 'split',
            holding: this.#holding,
            symbol: event.symbol,
            ratio: event.ratio,
            entitled,
          });
        return;
      case 'expiry':
        return this.trade(place, { ...at, units: quantity(-entitled), price: event.price });
      case 'coin_fee':
        return this.trade(place, { ...at, units: quantity(-event.units), price: event.price });
      case 'exercise':
      case 'assignment':
        return this.#place(place, {
          type: 'delivery',
          id,
          holding: this.#holding,
          symbol: event.symbol,
          date,
          contracts: event.contracts,
          underlying: event.underlying,
          shares: event.shares,
          amount: micro(Math.abs(notional(event.shares, event.strike))),
        });
      case 'dividend':
      case 'swap':
      case 'adjustment':
        return;
    }
  }

  #place(place: number, event: LotEvent): void {
    this.placed.push({ place, event });
  }

  #instrument(symbol: Symbol): Instrument {
    const instrument = this.#instruments.get(symbol);
    if (instrument === undefined) throw new RangeError(`no instrument ${symbol}`);
    return instrument;
  }
}
