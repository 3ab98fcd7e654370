// The end of a session in the brokerage's books: splits, dividends, swaps and expiries of what the accounts hold then,
// by the same rules of the kinds that backtests use.
import type { DatabaseSync } from 'node:sqlite';
import { nextSession, nextTradingDay, previousSession } from '#engine/market/calendar.ts';
import type { HoldingEvent } from '#engine/market/holding-event.ts';
import type { CalendarId } from '#engine/market/instrument.ts';
import { KIND_RULES } from '#engine/market/kinds/rules-of.ts';
import { type Instant, instant, type IsoDate } from '#units/instant.ts';
import { fromMicro, micro, ZERO_MICRO } from '#units/money.ts';
import { quantity } from '#units/quantity.ts';
import { roundHalfEven } from '#units/round.ts';
import type { PriceSource } from '../market/price-source.ts';
import type { AccountBook, HeldPosition } from './account-book.ts';
import type { ContractList } from './contract-list.ts';
import { atomically } from './database.ts';

export type Nights = {
  /** Deals with every session that has ended by `to`; `before` is called with each end first, to fill what there is. */
  passUntil(to: Instant, before: (end: Instant) => void): void;
};

const CALENDARS: readonly CalendarId[] = ['us-equity', 'forex', 'crypto'];

export function createNights(input: {
  readonly database: DatabaseSync;
  readonly contracts: ContractList;
  readonly prices: PriceSource;
  readonly accounts: AccountBook;
}): Nights {
  const { database, contracts, prices, accounts } = input;
  const passed = database.prepare('SELECT passed_until FROM nights');
  const save = database.prepare(
    `INSERT INTO nights (only_row, passed_until) VALUES (1, ?)
     ON CONFLICT (only_row) DO UPDATE SET passed_until = max(passed_until, excluded.passed_until)`,
  );
  const holders = database.prepare(
    'SELECT account_id, symbol FROM positions WHERE quantity <> 0 ORDER BY account_id, symbol',
  );

  const passNight = (calendar: CalendarId, date: IsoDate, end: Instant) => {
    for (const row of holders.all()) {
      const accountId = String(row.account_id);
      const { instrument } = contracts.bySymbol(String(row.symbol));
      const { overnight } = KIND_RULES[instrument.kind];
      if (instrument.calendar !== calendar || overnight === null) continue;
      const held = accounts.position(accountId, instrument.symbol);
      const bar = prices.dailyBars(instrument.symbol, { from: date, to: date, asOf: end })[0];
      const close = bar?.close ?? accounts.price(instrument.symbol, end);
      if (close === null) continue;
      const rate =
        fromMicro(accounts.inDollars(instrument, micro(RATE_PROBE), end)) / fromMicro(micro(RATE_PROBE));
      const next = nextTradingDay(calendar, date);
      const side = held.quantity > 0 ? 'long' : 'short';
      const actions = (prices.actions?.(end) ?? []).filter(({ symbol }) => symbol === instrument.symbol);
      for (const event of overnight({ instrument, side, date, next, close, rate, actions })) {
        accounts.happen(accountId, instrument, { ...changeBy(event, held), at: end });
      }
    }
  };

  return {
    passUntil(to, before) {
      const from = instant(Number(passed.get()?.passed_until ?? to));
      let last = from;
      for (let ends = endsAfter(from, to); ends.length > 0; ends = endsAfter(last, to)) {
        const { at } = ends[0]!;
        before(at);
        atomically(database, () => {
          for (const { calendar, date } of ends.filter((end) => end.at === at)) passNight(calendar, date, at);
          save.run(at);
        });
        last = at;
      }
      if (last === from) save.run(to);
    },
  };
}

type SessionEnd = { readonly calendar: CalendarId; readonly date: IsoDate; readonly at: Instant };

/** The next end of a session of each calendar within (from, to], earliest first. */
function endsAfter(from: Instant, to: Instant): SessionEnd[] {
  const ends = CALENDARS.map((calendar) => {
    const opened = previousSession(calendar, from);
    let next = nextSession(calendar, instant(opened.opensAt));
    while (next.closesAt <= from) next = nextSession(calendar, next.opensAt);
    return { calendar, date: next.date, at: next.closesAt };
  });
  return ends.filter(({ at }) => at <= to).sort((left, right) => left.at - right.at);
}

function changeBy(event: HoldingEvent, held: HeldPosition) {
  switch (event.type) {
    case 'split':
      return {
        traded: quantity(roundHalfEven(held.quantity * (event.ratio - 1))),
        price: null,
        paid: ZERO_MICRO,
      };
    case 'expiry':
      return { traded: quantity(-held.quantity), price: event.price, paid: ZERO_MICRO };
    default:
      return {
        traded: quantity(0),
        price: null,
        paid: micro(roundHalfEven((held.quantity * event.perUnit) / 100)),
      };
  }
}

const RATE_PROBE = 1e12;
