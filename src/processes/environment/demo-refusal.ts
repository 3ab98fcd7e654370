// What the demonstration refuses: every key that opens something real. Its password is in our source, and it has no fee, no
// verified people and no second factor.
import type { BrokerSettings } from './broker-settings.ts';
import { isLoopback } from './loopback.ts';

type Text = (name: string) => string | null;

type Demonstration = {
  readonly market: string;
  readonly brokers: readonly Pick<BrokerSettings, 'vendor' | 'baseUrl'>[];
};

/** Throws an Error that names the setting and the way out. */
export function refuseRealKeys(text: Text, { market, brokers }: Demonstration): void {
  const standInOf = (vendor: string) => brokers.some((one) => one.vendor === vendor && one.baseUrl !== null);
  const found =
    named(text, [
      'APCA_API_KEY_ID',
      'APCA_API_SECRET_KEY',
      'MASSIVE_API_KEY',
      'MASSIVE_S3_KEY_ID',
      'MASSIVE_S3_SECRET_KEY',
    ]) ??
    (standInOf('interactive-brokers') ? null : named(text, INTERACTIVE_BROKERS)) ??
    (standInOf('alpaca') ? null : named(text, ['ALPACA_CLIENT_ID', 'ALPACA_CLIENT_SECRET'])) ??
    (text('DOCUSIGN_STAND_IN_URL') === null
      ? named(text, ['DOCUSIGN_INTEGRATION_KEY', 'DOCUSIGN_PRIVATE_KEY_FILE'])
      : null) ??
    (text('STRIPE_STAND_IN_URL') === null ? named(text, ['STRIPE_SECRET_KEY']) : null) ??
    (isOfThisMachine(text('IDENTITY_CHECK_URL')) ? null : named(text, ['IDENTITY_CHECK_KEY'])) ??
    (isOfThisMachine(text('DOCUMENT_STORE_URL')) ? null : named(text, ['DOCUMENT_STORE_SECRET_KEY'])) ??
    (isOfThisMachine(text('LANGUAGE_MODEL_URL')) ? null : named(text, ['LANGUAGE_MODEL_KEY'])) ??
    (isOfThisMachine(text('TELEGRAM_URL')) ? null : named(text, ['TELEGRAM_BOT_TOKEN']));
  if (found !== null)
    throw new Error(
      `${found} is set, and MARKET is ${market}: the demonstration takes no key of anything real. Remove it, or set MARKET=live`,
    );
}

const INTERACTIVE_BROKERS = [
  'IBKR_CONSUMER_KEY',
  'IBKR_SIGNATURE_KEY_FILE',
  'IBKR_ENCRYPTION_KEY_FILE',
  'IBKR_CLIENT_ID',
  'IBKR_PRIVATE_KEY_FILE',
  'IBKR_CREDENTIAL',
];

function named(text: Text, names: readonly string[]): string | null {
  return names.find((name) => text(name) !== null) ?? null;
}

function isOfThisMachine(url: string | null): boolean {
  return url !== null && URL.canParse(url) && isLoopback(new URL(url).hostname);
}
