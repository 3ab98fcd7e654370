// Each broker's session, by the one who owns it. A session of our own at Interactive Brokers would end the trader's: the running
// trader is asked. The keys of an operator's own account need no session, and their account is read directly.
import { accountNumber } from '#units/account-of-vendor.ts';
import type { Brokers } from '#ports/brokers.ts';
import { createBrokerQuestions } from '#records/brokerage/broker-questions.ts';
import { listVendorSessions, type VendorSessions } from '#records/brokerage/broker-sessions.ts';
import { isTraderAlive } from '#records/operations/trading-shards.ts';
import type { DatabaseHandle } from '#records/postgres/database.ts';
import { type Finding, fit, unfit } from './finding.ts';

type Vendor = { readonly vendor: string; readonly prefix: string };

export async function checkSessions(
  handle: DatabaseHandle,
  vendors: readonly Vendor[],
): Promise<readonly Finding[]> {
  const found = await listVendorSessions(handle.database);
  const isTrading = await isTraderAlive(handle.database);
  const questions = createBrokerQuestions(handle);
  try {
    return await Promise.all(
      vendors.map(async ({ vendor, prefix }) => {
        const subject = `session at ${vendor}`;
        const sessions = found.find((one) => one.vendor === vendor);
        if (sessions === undefined) return fit(subject, 'no account is connected yet');
        if (!isTrading)
          return unfit(
            subject,
            'no trader runs, and only a trader opens sessions: npm start, then look again',
          );
        const connection = { id: sessions.example, userId: 'operator' } as const;
        const answer = await questions.ask({ kind: 'cash', connection, patienceMs: PATIENCE_MS });
        return judge(subject, sessions, {
          prefix,
          failure: answer === null ? 'no answer in time' : codeOf(answer),
        });
      }),
    );
  } finally {
    await questions.close();
  }
}

/** Of the operator's own account. Throws nothing: what fails is the finding. */
export async function checkOwnAccounts(brokers: Brokers): Promise<readonly Finding[]> {
  const own = brokers.filter(({ linksAccounts }) => linksAccounts === 'operator');
  return Promise.all(
    own.map(async (broker) => {
      const subject = `account of the keys at ${broker.vendor}`;
      const session = await broker.openSession({});
      const accounts = session.outcome === 'ok' ? await session.value.accounts() : session;
      if (session.outcome === 'ok') await session.value.close();
      if (accounts.outcome === 'failed')
        return unfit(
          subject,
          accounts.code === 'unreachable'
            ? `${accounts.reason}: check the network, and ALPACA_TRADING_URL where it is set`
            : `${accounts.reason}: copy APCA_API_KEY_ID and APCA_API_SECRET_KEY again from the paper account`,
        );
      const [account] = accounts.value;
      return account === undefined
        ? unfit(
            subject,
            'none: create keys at the paper account, for APCA_API_KEY_ID and APCA_API_SECRET_KEY',
          )
        : fit(subject, `${accountNumber(account.accountId)} in ${account.currency}`);
    }),
  );
}

type Asked = { readonly prefix: string; readonly failure: string | null };

function judge(
  subject: string,
  { connections, connected, state, detail }: VendorSessions,
  { prefix, failure }: Asked,
): Finding {
  const counted =
    state === null
      ? 'no deployment has needed a session yet'
      : `${connected} of ${connections} sessions open`;
  if (failure === null) return fit(subject, `the trader has read an account's cash; ${counted}`);
  const said = [state, detail].filter((word) => word !== null && word !== '').join(': ');
  return unfit(
    subject,
    `the trader could not read an account's cash (${failure}; ${said}); ${counted}. ${WAYS_OUT[failure]?.(prefix) ?? 'See the desk, and docs/operators/runbook.md'}`,
  );
}

const WAYS_OUT: Readonly<Record<string, (prefix: string) => string>> = {
  unauthorized: (prefix) =>
    `Its owner signs in again at Account; if no account works, check the keys of ${prefix}_… in .env.example`,
  unreachable: (prefix) => `Check ${prefix}_BASE_URL and the network`,
  no_session: () => 'Somebody is signed in elsewhere with the same user name: end that session',
  rate_limited: (prefix) => `Lower ${prefix}_REQUESTS_PER_SECOND, and look again in 15 minutes`,
};

function codeOf(answer: { readonly outcome: string; readonly code?: string }): string | null {
  return answer.outcome === 'ok' ? null : (answer.code ?? 'failed');
}

const PATIENCE_MS = 20_000;
