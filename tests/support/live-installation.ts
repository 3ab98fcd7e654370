// What an operator sets for MARKET=live besides prices and brokers, complete and wrong in nothing.
import { PROVIDER_SETTINGS } from '#rules/provider.ts';

export const STATED_PROVIDER: Readonly<Record<string, string>> = {
  PROVIDER_COMPANY: 'Steady Hand Advisers (Pty) Ltd',
  PROVIDER_REGISTRATION: '2019/123456/07',
  PROVIDER_ADDRESS: '12 Long Street, Johannesburg',
  PROVIDER_LICENCE: 'FSP 51234',
  PROVIDER_CONTACT_EMAIL: 'support@steadyhand.test',
  PROVIDER_COMPLAINTS_EMAIL: 'complaints@steadyhand.test',
  PROVIDER_PRIVACY_OFFICER: 'N. Dlamini',
  PROVIDER_COMPLIANCE_OFFICER: 'P. van Wyk',
  PROVIDER_MINIMUM_INVESTMENT: '$500',
} satisfies Record<(typeof PROVIDER_SETTINGS)[keyof typeof PROVIDER_SETTINGS], string>;

/** Gives a person a plan, as one that was paid. */
export function planOf(email: string): string {
  return `insert into subscriptions (user_id, plan, billing_interval, chosen_at, period_start, period_end, period_price_micro)
    select id, 'pro', 'monthly', now(), now(), now() + interval '1 month', 79000000 from users where email = '${email}'`;
}

/** The first start makes the key file. */
export function liveInstallation(keyFile: string, mailUrl: string): Readonly<Record<string, string>> {
  return {
    ...STATED_PROVIDER,
    HOST: '127.0.0.1',
    KEK_FILE: keyFile,
    MAIL_URL: mailUrl,
    PAYMENTS: 'stripe',
    STRIPE_SECRET_KEY: 'sk_test_steadyhand',
    STRIPE_WEBHOOK_SECRETS: 'whsec_of_steady_hand_advisers',
    // Nothing listens there: these tests give people their plans.
    STRIPE_STAND_IN_URL: 'http://127.0.0.1:9',
  };
}
