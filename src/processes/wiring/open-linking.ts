import type { BrokerQuestions } from '#records/brokerage/broker-questions.ts';
import type { Database } from '#records/postgres/database.ts';
import type { Environment } from '../environment/environment.ts';
import { knownKeys } from '../environment/known-keys.ts';
import type { Linking } from '../staff/link-account.ts';
import { connectBrokers } from './connect-brokers.ts';

/** What a command needs to link accounts next to the running product. Throws an Error that names what is missing. */
export async function openLinking(
  environment: Environment,
  { brokerQuestions, database }: { readonly brokerQuestions: BrokerQuestions; readonly database: Database },
): Promise<Linking> {
  const brokers = await connectBrokers(environment, { instruments: [], role: 'command' });
  return { brokers, brokerQuestions, keys: await knownKeys(environment, database).keyring() };
}
