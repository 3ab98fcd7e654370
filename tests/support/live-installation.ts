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

/** Keys of the test mode: nothing is charged, and nothing is asked before somebody pays. */
const CHARGING = {
  PAYMENTS: 'stripe',
  STRIPE_SECRET_KEY: 'sk_test_ofAnInstallationThatIsTested',
  STRIPE_WEBHOOK_SECRETS: 'whsec_ofAnInstallationThatIsTested',
};

/** The first start makes the key file. */
export function liveInstallation(keyFile: string, mailUrl: string): Readonly<Record<string, string>> {
  return { ...STATED_PROVIDER, ...CHARGING, HOST: '127.0.0.1', KEK_FILE: keyFile, MAIL_URL: mailUrl };
}
