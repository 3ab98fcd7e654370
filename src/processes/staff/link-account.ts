// Links an account under the adviser to a client: the broker confirms, through the trader, that it exists; staff say
// whose it is.
import { randomUUID } from 'node:crypto';
import { accountNumber, accountOfVendor } from '#units/account-of-vendor.ts';
import type { Broker } from '#ports/broker.ts';
import { actAs } from '#records/operations/audit-log.ts';
import type { BrokerQuestions } from '#records/brokerage/broker-questions.ts';
import { findBroker } from '#records/brokerage/brokers.ts';
import type { Database } from '#records/postgres/database.ts';
import { linkAccount } from '#records/brokerage/linked-accounts.ts';
import { credentialsPurpose, type SealingTerms, sealSecret } from '#records/keys/sealed-secret.ts';
import { findRole } from '#records/identity/users.ts';
import type { BrokerAccountId, BrokerConnectionId } from '#units/identifiers.ts';
import { instant } from '#units/instant.ts';
import type { StaffCommand } from './staff-arguments.ts';
import type { StaffResult } from './staff-result.ts';

export type Linking = {
  readonly brokers: readonly Pick<Broker, 'vendor' | 'linksAccounts'>[];
  readonly brokerQuestions: Pick<BrokerQuestions, 'ask'>;
  readonly keys: SealingTerms['keys'];
};

export async function linkAccountTo(
  { client, number, by }: Extract<StaffCommand, { name: 'link-account' }>,
  database: Database,
  { brokers, brokerQuestions, keys }: Linking,
): Promise<StaffResult> {
  const port = brokers.find(({ linksAccounts }) => linksAccounts === 'staff');
  if (port === undefined)
    return refused('Clients authorise access themselves (IBKR_TENANCY=person): there is nothing to link.');
  if ((await findRole(database, by))?.role !== 'support') return refused(`${by} is not a support account`);
  const owner = await findRole(database, client);
  if (owner?.role !== 'investor') return refused(`There is no client ${client}.`);
  const broker = await findBroker(database, port.vendor);
  if (broker === undefined) return refused(`There is no broker ${port.vendor}.`);
  const accountId = accountOfVendor(port.vendor, number);
  const problem = await accountProblem(brokerQuestions, { adviserAt: port.vendor, accountId });
  if (problem !== null) return refused(problem);

  const outcome = await database.transaction().execute(async (trx) => {
    await actAs(trx, `staff:${by}`);
    return linkAccount(trx, {
      id: randomUUID() as BrokerConnectionId,
      userId: owner.id,
      brokerId: broker.id,
      accountId,
      // The adviser's own key signs for every account: a client's connection contains no secret.
      seal: (id) => sealSecret('{}', { keys, purpose: credentialsPurpose({ id, vendor: broker.slug }) }),
      by,
      isPaper: null,
      at: instant(Date.now()),
    });
  });
  if (outcome === 'taken') return refused(`${number} is another client's.`);
  return { ok: true, lines: [`${number} is ${client}'s from now on, at ${broker.name}.`] };
}

/** Null where the broker shows the account under the adviser, in the currency that we trade in. */
async function accountProblem(
  brokerQuestions: Linking['brokerQuestions'],
  { adviserAt, accountId }: { readonly adviserAt: string; readonly accountId: BrokerAccountId },
): Promise<string | null> {
  const number = accountNumber(accountId);
  const answer = await brokerQuestions.ask({
    kind: 'accounts',
    connection: { adviserAt },
    patienceMs: PATIENCE_MS,
  });
  if (answer === null) return 'The trader did not answer. Start the product, then link the account.';
  if (answer.outcome === 'failed')
    return `The broker does not list its accounts (${answer.code}). Try again in a minute.`;
  const account = answer.accounts.find((one) => one.accountId === accountId);
  if (account === undefined) return `The broker shows no account ${number} under the adviser.`;
  return account.currency === 'USD' ? null : `${number} is kept in ${account.currency}; we need one in USD.`;
}

const PATIENCE_MS = 30_000;
const refused = (line: string): StaffResult => ({ ok: false, lines: [line] });
