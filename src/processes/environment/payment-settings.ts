// Who takes payments: the ledger of the demo world, which only records them, or Stripe by its STRIPE_ settings.
import { isLoopback } from './loopback.ts';
import { oneOf } from './setting.ts';

type Text = (name: string) => string | null;

export type StripeEnvironment = {
  readonly secretKey: string;
  readonly webhookSecrets: readonly string[];
  /** Null: the real service. */
  readonly standInUrl: string | null;
};

/** Null where payments are only recorded. Throws an Error that names the setting and the way out. */
export function readPayments(text: Text): StripeEnvironment | null {
  if (oneOf('PAYMENTS', text('PAYMENTS'), CHOICES, 'ledger') === 'ledger') return null;
  const secretKey = needed(
    text,
    'STRIPE_SECRET_KEY',
    'the secret or restricted key of your account at Stripe',
  );
  if (!/^(sk|rk)_(test|live)_\w{8,}$/.test(secretKey))
    throw new Error('STRIPE_SECRET_KEY is no secret key: take the one that begins with sk_live_ or rk_live_');
  const webhookSecrets = needed(
    text,
    'STRIPE_WEBHOOK_SECRETS',
    'the signing secrets of your webhook endpoint, separated by commas',
  )
    .split(',')
    .map((secret) => secret.trim());
  if (webhookSecrets.some((secret) => !/^whsec_.{16,}$/.test(secret)))
    throw new Error(
      'STRIPE_WEBHOOK_SECRETS holds something else than a signing secret: each begins with whsec_',
    );
  return { secretKey, webhookSecrets, standInUrl: standIn(text('STRIPE_STAND_IN_URL')) };
}

/** A key of the vendor's test mode takes no money. */
export function isTestKey({ secretKey }: StripeEnvironment): boolean {
  return /^(sk|rk)_test_/.test(secretKey);
}

const CHOICES = ['ledger', 'stripe'] as const;

/** It must be on this machine: it would learn what clients pay. */
function standIn(url: string | null): string | null {
  if (url === null) return null;
  if (!URL.canParse(url) || !isLoopback(new URL(url).hostname))
    throw new Error(
      `STRIPE_STAND_IN_URL is "${url}": a stand-in must be on this machine, such as http://127.0.0.1:3230. Remove it for the real service`,
    );
  return new URL(url).origin;
}

function needed(text: Text, name: string, what: string): string {
  const said = text(name);
  if (said === null) throw new Error(`PAYMENTS=stripe needs ${name}, ${what}`);
  return said;
}
