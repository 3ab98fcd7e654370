import { expect, it } from 'vitest';
import { instant } from '#units/instant.ts';
import { toQuantity } from '#units/quantity.ts';
import { orderReason, orderReasonClause } from './order-reason.ts';

it('says in the broker’s own words why it refused, with one full stop', () => {
  expect(orderReason({ code: 'rejected', said: 'no margin.' })).toBe('The broker rejected it: no margin.');
  expect(orderReason({ code: 'rejected', said: '' })).toBe('The broker rejected it.');
});

it('says in our words why it refused, where that is known, and what its owner may do', () => {
  expect(
    orderReason({ code: 'rejected', said: 'new orders are rejected', refusal: 'suspended_by_owner' }),
  ).toBe(
    'The broker rejected it: you have suspended trading in the settings of your account there. Allow it there again, or pause the deployment.',
  );
});

it('says which manual trade took what an exit would close, and how it is put right', () => {
  const sold = { symbol: 'AAA', units: toQuantity(-5), at: instant(Date.UTC(2026, 2, 3)) };
  expect(orderReason({ code: 'quantity_not_available', external: sold })).toBe(
    'On hold: the broker does not show the units that it would close. You sold 5 AAA manually, most recently on 3 March 2026. Buy them back at your broker and this order continues, or our support books that sale here.',
  );
  const bought = { ...sold, units: toQuantity(5), at: null };
  expect(orderReason({ code: 'quantity_not_available', external: bought })).toContain(
    'You bought 5 AAA manually. Sell them back at your broker',
  );
  expect(orderReason({ code: 'quantity_not_available', external: null })).toContain(
    'anything that no trade explains',
  );
});

it('gives the reason of a parked order, also while its cancellation is requested', () => {
  expect(orderReason({ code: 'cancel_requested', parked: 'held by the exchange' })).toBe(
    orderReason({ code: 'parked', said: 'held by the exchange' }),
  );
  expect(orderReason({ code: 'cancel_requested', parked: null })).toBe('Cancellation requested.');
});

it('ends another sentence without a full stop', () => {
  expect(orderReasonClause({ code: 'never_shown' })).toMatch(/^its trading day is over, .* at the broker$/);
});
