import { expect, test } from 'vitest';
import { billingAddress, readChoice, readNext } from './plan-address.ts';
import { plansQuery, withoutPlans } from './plans-query.ts';

const query = (text: string) => new URLSearchParams(text);

test('a choice survives in the address, and is taken from what was handed over where that is all', () => {
  const address = billingAddress(
    { plan: 'pro', interval: 'yearly' },
    '/strategy/1/deploy?step=configuration',
  );
  const asked = query(address.slice(address.indexOf('?')));
  expect(readChoice(asked, null)).toEqual({ plan: 'pro', interval: 'yearly' });
  expect(readNext(asked, null)).toBe('/strategy/1/deploy?step=configuration');
  const state = { plan: { id: 'basic', interval: 'monthly' }, next: '/dashboard' };
  expect(readChoice(query(''), state)).toEqual({ plan: 'basic', interval: 'monthly' });
  expect(readNext(query(''), state)).toBe('/dashboard');
});

test('an unknown plan is none, and a next path outside of the app is the account', () => {
  expect(readChoice(query('plan=gold'), null)).toBeNull();
  expect(readChoice(query(''), 'pro')).toBeNull();
  for (const next of [
    'https://elsewhere.example',
    '//elsewhere.example',
    '/\\elsewhere.example',
    'account',
  ]) {
    expect(readNext(query(`next=${encodeURIComponent(next)}`), null)).toBe('/account');
  }
});

test('opening and closing the plans leaves the rest of the address alone', () => {
  expect(plansQuery('?step=configuration', true)).toBe('?step=configuration&plans=here');
  expect(withoutPlans('?step=configuration&plans=here')).toBe('?step=configuration');
  expect(withoutPlans('?plans=open')).toBe('');
});
