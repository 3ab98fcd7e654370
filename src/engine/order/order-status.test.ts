import { expect, it } from 'vitest';
import { AT_BROKER, isOpen, ORDER_STATUSES } from './order-status.ts';

it('calls an order open while it may still fill, and at the broker while it may be there', () => {
  expect(ORDER_STATUSES.filter(isOpen)).toEqual(['intended', 'sending', 'working', 'unknown']);
  expect(AT_BROKER).toEqual(['sending', 'working', 'unknown']);
});
