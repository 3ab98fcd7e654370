import { expect, test } from 'vitest';
import type { Symbol } from '#units/identifiers.ts';
import { toQuantity } from '#units/quantity.ts';
import { statusReason } from './status-reason.ts';

const order = { side: 'buy', quantity: toQuantity(10), symbol: 'SPY' as Symbol } as const;

test('a pause names what is left at the broker', () => {
  const reason = { code: 'paused', keepsStops: true, atBroker: [order, { ...order, side: 'sell' }] } as const;
  expect(statusReason(reason)).toBe(
    'No orders are sent while it is paused, not even stop-loss sales. Protective stops at your broker stay there. ' +
      'Still at your broker, with its cancellation requested: buy 10 SPY, sell 10 SPY.',
  );
  expect(statusReason({ ...reason, keepsStops: false, atBroker: [] })).toBe(
    'No orders are sent while it is paused, not even stop-loss sales.',
  );
});

test('a quarantine says what kept failing', () => {
  const failing = { task: 'end-of-day', symbol: 'AAA' as Symbol } as const;
  expect(statusReason({ code: 'quarantined', failing, from: 'active' })).toBe(
    'It could not continue: its end-of-day processing of AAA keeps failing. Our support team has been informed.',
  );
  expect(statusReason({ code: 'quarantined', failing, from: 'liquidating' })).toContain(
    'Its positions are not closed until they have looked.',
  );
});

test('a shut gate is worded as in the wizard', () => {
  expect(statusReason({ code: 'agreement_not_signed' })).toBe('Please sign the investment agreement first.');
  expect(statusReason({ code: 'not_suitable', strategyScore: 4, clientScore: 3 })).toContain(
    'above your own score of 3',
  );
});
