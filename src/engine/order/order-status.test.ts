import { expect, it } from 'vitest';
import { isAtBroker, isOpen, ORDER_STATUSES } from './order-status.ts';

it('calls open what may still fill, and at the broker what may be there', () => {
  expect(ORDER_STATUSES.filter(isOpen)).toEqual(['intended', 'sending', 'working', 'unknown']);
  expect(ORDER_STATUSES.filter(isAtBroker)).toEqual(['sending', 'working', 'unknown']);
});
