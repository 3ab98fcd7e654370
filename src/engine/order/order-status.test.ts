import { expect, it } from 'vitest';
import { AT_BROKER, isOpen, ORDER_STATUSES } from './order-status.ts';

it('calls open what may still fill, and at the broker what may be there', () => {
  expect(ORDER_STATUSES.filter(isOpen)).toEqual(['intended', 'sending', 'working', 'unknown']);
  expect(AT_BROKER).toEqual(['sending', 'working', 'unknown']);
});
