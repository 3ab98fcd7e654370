import type { BrokerQuestions } from '#records/brokerage/broker-questions.ts';
import type { Database } from '#records/postgres/database.ts';
import { knownKeys } from '../environment/known-keys.ts';
import { type Environment, readEnvironment } from '../environment/environment.ts';
import { recallSandboxPort } from '../start/sandbox-port.ts';
import type { Linking } from '../staff/link-account.ts';
import { connectBrokers } from './connect-brokers.ts';
import { sandboxVariables } from './sandbox-variables.ts';

/** What a command needs to link accounts next to the running product: it uses the sandbox that the product started. */
export async function openLinking(
  environment: Environment,
  { brokerQuestions, database }: { readonly brokerQuestions: BrokerQuestions; readonly database: Database },
): Promise<Linking> {
  const port = recallSandboxPort(environment.dataDir);
  const isOwnSandbox = environment.brokers.some(
    ({ choice, baseUrl }) => choice === 'sandbox' && baseUrl === null,
  );
  if (isOwnSandbox && port === null) throw new Error('start the product first: its sandbox is the broker');
  const whole = isOwnSandbox
    ? readEnvironment({ ...process.env, ...sandboxVariables(environment, port ?? 0) })
    : environment;
  const brokers = await connectBrokers(whole, { instruments: [], role: 'command' });
  return { brokers, brokerQuestions, keys: await knownKeys(whole, database).keyring() };
}
