import { expect, test } from 'vitest';
import { readPayments } from './payment-settings.ts';

const COMPLETE: Readonly<Record<string, string>> = {
  PAYMENTS: 'stripe',
  STRIPE_SECRET_KEY: 'sk_live_0123456789abcdef',
  STRIPE_WEBHOOK_SECRETS: 'whsec_0123456789abcdef, whsec_fedcba9876543210',
};
const read = (change: Readonly<Record<string, string | null>> = {}) => {
  const all: Readonly<Record<string, string | null>> = { ...COMPLETE, ...change };
  return readPayments((name) => all[name] ?? null);
};

test('without the setting payments are only recorded', () => {
  expect(readPayments(() => null)).toBeNull();
  expect(read({ PAYMENTS: 'ledger' })).toBeNull();
});

test('Stripe has its key, and each secret of its notices', () => {
  expect(read()).toEqual({
    secretKey: COMPLETE.STRIPE_SECRET_KEY,
    webhookSecrets: ['whsec_0123456789abcdef', 'whsec_fedcba9876543210'],
    standInUrl: null,
  });
  expect(read({ STRIPE_STAND_IN_URL: 'http://127.0.0.1:3230/' })).toMatchObject({
    standInUrl: 'http://127.0.0.1:3230',
  });
});

test.each([
  [{ PAYMENTS: 'paypal' }, 'PAYMENTS must be one of ledger, stripe'],
  [{ STRIPE_SECRET_KEY: null }, 'PAYMENTS=stripe needs STRIPE_SECRET_KEY'],
  [{ STRIPE_SECRET_KEY: 'pk_live_0123456789' }, 'STRIPE_SECRET_KEY is no secret key'],
  [{ STRIPE_WEBHOOK_SECRETS: null }, 'PAYMENTS=stripe needs STRIPE_WEBHOOK_SECRETS'],
  [{ STRIPE_WEBHOOK_SECRETS: 'whsec_short' }, 'each begins with whsec_'],
  [{ STRIPE_STAND_IN_URL: 'https://pay.example.com' }, 'a stand-in must be on this machine'],
])('%j is refused with the setting and the way out', (change, sentence) => {
  expect(() => read(change)).toThrow(sentence);
});
