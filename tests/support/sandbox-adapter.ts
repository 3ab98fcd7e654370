// The Interactive Brokers adapter towards a sandbox brokerage, and its people, for tests that run the real protocol.
import { readFileSync } from 'node:fs';
import { CALLBACK } from '../conformance/broker/steps.ts';
import { NO_RATE_LIMITS, type PersonConfig } from '../../src/adapters/broker/interactive-brokers/config.ts';
import { interactiveBrokers } from '../../src/adapters/broker/interactive-brokers/interactive-brokers.ts';
import type { Instrument } from '../../src/engine/market/instrument.ts';
import type { Authorization, Broker } from '../../src/ports/broker.ts';
import type { BrokerAccountId } from '../../src/units/identifiers.ts';
import { consumerFiles, prepareConsumer } from '#sandbox/interactive-brokers/sign-in/consumer.ts';
import { decide } from '../broker/interactive-brokers-harness.ts';

export type Counterpart = {
  /** Where the brokerage listens, without a path. */
  readonly address: string;
  /** The folder of its registered consumer. */
  readonly keys: string;
  readonly instruments: readonly Instrument[];
  readonly now?: () => number;
  /** What differs from a brokerage on the same machine that limits nobody. */
  readonly config?: Partial<PersonConfig>;
};

export function sandboxAdapter({ address, keys, instruments, now, config }: Counterpart): Broker {
  const consumer = prepareConsumer(keys);
  const files = consumerFiles(keys);
  const bySymbol = new Map(instruments.map((instrument) => [instrument.symbol, instrument]));
  return interactiveBrokers({
    baseUrl: `${address}/v1/api`,
    authorizeUrl: `${address}/authorize`,
    consumerKey: consumer.key,
    realm: consumer.realm,
    dhPrimeHex: consumer.dhPrimeHex,
    signaturePrivateKeyPem: readFileSync(files.signaturePrivatePem, 'utf8'),
    encryptionPrivateKeyPem: readFileSync(files.encryptionPrivatePem, 'utf8'),
    findInstrument: (symbol) => bySymbol.get(symbol) ?? null,
    keepsMarketTime: true,
    timeoutMs: 5_000,
    rateLimits: NO_RATE_LIMITS,
    ...(now === undefined ? {} : { now }),
    ...config,
  });
}

/** Opens an account at the sandbox brokerage and gives permission, as a person would in the browser. */
export async function signInAt(
  broker: Broker,
  userName: string,
): Promise<Authorization & { readonly accountId: BrokerAccountId }> {
  const pending = await broker.beginAuthorization({ callbackUrl: CALLBACK });
  if (pending.outcome === 'failed') throw new Error(pending.reason);
  const verifier = await decide(pending.value.authorizeUrl, 'approve', userName);
  const { requestToken } = pending.value;
  const granted = await broker.completeAuthorization({ requestToken, verifier: verifier ?? '' });
  if (granted.outcome === 'failed') throw new Error(granted.reason);
  const session = await broker.openSession(granted.value.credentials);
  const accounts = session.outcome === 'ok' ? await session.value.accounts() : session;
  if (accounts.outcome === 'failed') throw new Error(accounts.reason);
  return { ...granted.value, accountId: accounts.value[0]!.accountId };
}
