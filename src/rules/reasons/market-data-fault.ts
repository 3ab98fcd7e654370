// What is wrong with a bar or a quote of a feed, as our support reads it.
import type { CalendarException } from '#engine/market/calendar.ts';
import type { Session } from '#engine/market/calendar.ts';
import type { FeedDoubt } from '#engine/market-data/feed-doubt.ts';
import type { BarFault } from '#engine/market-data/validate-bar.ts';
import type { QuoteFault } from '#engine/market-data/validate-quote.ts';
import { isoText } from '#units/instant.ts';

/** The end of a sentence about the bar. */
export function barFaultText(fault: BarFault): string {
  switch (fault.code) {
    case 'number_missing':
      return 'a number is missing';
    case 'low_not_positive':
      return `its low is ${fault.low}, not above zero`;
    case 'not_bracketed':
      return 'its high and low do not bracket its open and close';
    case 'volume_negative':
      return `its volume is ${fault.volume}`;
    case 'closes_before_open':
      return 'it closes before it opens';
    case 'not_closed':
      return 'it has not closed yet';
    case 'not_after_last':
      return 'it is not after the last one';
    case 'no_trading_day':
      return `${fault.date} is not a trading day of its exchange`;
    case 'outside_price_band': {
      const { open, high, low, close, before } = fault;
      const from = before === null ? '' : ` after a close of ${before}`;
      return `it moved more than tenfold: from ${open} to ${close}, between ${low} and ${high}${from}`;
    }
    default:
      return fault satisfies never;
  }
}

/** The end of a sentence about the price. */
export function quoteFaultText(fault: QuoteFault): string {
  switch (fault.code) {
    case 'not_a_price':
      return fault.of === 'last' ? `it is ${fault.price}` : `its ${fault.of} is ${fault.price}`;
    case 'crossed':
      return `its bid of ${fault.bid} is above its ask of ${fault.ask}`;
    case 'too_old':
      return `it is of ${isoText(fault.at)}, too old while its market is open`;
    case 'exchange_closed':
      return `it is of ${isoText(fault.at)}, and the feed says that its exchange is closed`;
    case 'halted':
      return `its exchange halted trading at ${isoText(fault.since)}${fault.said === '' ? '' : ` (${fault.said})`}`;
    case 'outside_price_band':
      return `it is ${fault.last} after ${fault.before}: more than tenfold`;
    default:
      return fault satisfies never;
  }
}

/** What a vendor says about a day, against our rules. */
export function calendarExceptionText({ ours, theirs }: CalendarException): string {
  const hoursOf = (session: Session | null) =>
    session === null ? 'no session' : `${isoText(session.opensAt)} to ${isoText(session.closesAt)}`;
  return `the vendor says ${hoursOf(theirs)}, our rules say ${hoursOf(ours)}`;
}

/** The end of a sentence about what two feeds say. */
export function feedDoubtText(doubt: FeedDoubt): string {
  switch (doubt.code) {
    case 'check_silent':
      return `${doubt.feed} has none to compare${doubt.said === null ? '' : `: ${doubt.said}`}`;
    case 'check_late':
      return `the one of ${doubt.feed} is of ${isoText(doubt.at)}, too old while the market is open`;
    case 'feeds_differ':
      return `it is ${doubt.price}, by ${doubt.feed} ${doubt.other}: more than ${doubt.tolerancePercent} percent apart`;
    default:
      return doubt satisfies never;
  }
}
