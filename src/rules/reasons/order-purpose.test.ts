import { expect, test } from 'vitest';
import { orderPurposeText } from './order-purpose.ts';

const order = { side: 'buy', limitPrice: 103, stopLossPercentage: null } as const;

test('a purchase says how far it may go, a stop which limit it answers to', () => {
  expect(orderPurposeText({ ...order, purpose: 'rebalance' })).toBe(
    'Follows the strategy: buys at 103 or less.',
  );
  expect(orderPurposeText({ ...order, purpose: 'stop_loss', stopLossPercentage: 7.5 })).toBe(
    'The stop loss of 7.5% was reached: closes the position.',
  );
});
