// The message when a holding changes without an order: a split, a dividend, an option that ended, was exercised or was
// assigned, an adjustment. Promises to say what changed hands and for how much.
import type { PositionEventFacts } from '#engine/execution/deployment/notice-facts.ts';
import type { Micro } from '#units/money.ts';
import { dollars } from '../dollars.ts';
import { priceText } from '../price-text.ts';

export function positionEventText(facts: PositionEventFacts): {
  readonly title: string;
  readonly what: string;
} {
  const { symbol } = facts;
  switch (facts.type) {
    case 'exercise':
    case 'assignment':
      return deliveryText(facts);
    case 'expiry':
      return { title: `${symbol} expired`, what: expiryText(facts) };
    case 'dividend': {
      const owed = facts.paid < 0;
      const amount = dollars(Math.abs(facts.paid) as Micro);
      return owed
        ? {
            title: `Dividend on ${symbol}`,
            what: `a dividend, estimated at ${amount}, was charged on the short position in ${symbol}`,
          }
        : {
            title: `Dividend of ${symbol}`,
            what: `${symbol} paid a dividend, estimated at ${amount} until your broker states its figure`,
          };
    }
    case 'late dividend': {
      const amount = dollars(Math.abs(facts.paid) as Micro);
      const done = facts.paid < 0 ? 'deducted from' : 'added to';
      return {
        title: `Dividend of ${symbol} corrected`,
        what: `${amount} of a ${symbol} dividend was ${done} its cash, because the broker reported or corrected a trade from before the ex-date only after it`,
      };
    }
    case 'stated': {
      const [stated, estimate] = [facts.stated, facts.estimate].map((amount) => dollars(amount as Micro));
      const what = facts.of === 'delivery' ? 'the cash of an expiry or delivery' : `the ${facts.of}`;
      return {
        title: `${facts.of === 'delivery' ? 'Delivery' : 'Dividend'} of ${symbol} confirmed`,
        what: `your broker’s figure for ${what} of ${symbol} is ${stated}; ${estimate} was booked before`,
      };
    }
    case 'split':
      return {
        title: `${symbol} split`,
        what: `${symbol} split: each share is now ${facts.ratio}. The total value did not change`,
      };
    case 'adjustment':
      return { title: `Corrected: ${symbol}`, what: facts.explanation };
    default:
      return facts satisfies never;
  }
}

function deliveryText(facts: Extract<PositionEventFacts, { type: 'exercise' | 'assignment' }>) {
  const { contracts, shares, right, underlying, strike, isEarly } = facts;
  const options = `${contracts} ${right}${contracts === '1' ? '' : 's'} on ${underlying} at ${priceText(strike, 'USD')}`;
  const verb = facts.type === 'exercise' ? 'exercised' : 'assigned';
  const traded = `${shares} shares of ${underlying} were ${facts.side === 'buy' ? 'bought' : 'sold'} at ${priceText(strike, 'USD')} each`;
  const early = isEarly ? ', before the last day' : '';
  const premium =
    facts.type === 'assignment'
      ? 'the premium received counts towards the price of the shares'
      : 'the premium paid counts towards the price of the shares';
  return {
    title: `${facts.type === 'exercise' ? 'Exercised' : 'Assigned'}: ${underlying}`,
    what: `${options} ${contracts === '1' ? 'was' : 'were'} ${verb}${early}: ${traded}; ${premium}`,
  };
}

function expiryText({ symbol, side, price }: Extract<PositionEventFacts, { type: 'expiry' }>): string {
  if (price > 0) return `${symbol} expired and was settled in cash at ${priceText(price, 'USD')}`;
  return side === 'short'
    ? `${symbol} expired worthless: the full premium is kept`
    : `${symbol} expired worthless`;
}
