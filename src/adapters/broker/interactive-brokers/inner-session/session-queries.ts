// Queries that need the inner session, and those that refer to one of its accounts.
import type { BrokerAnswer } from '#ports/broker.ts';
import type { BrokerAccountId } from '#units/identifiers.ts';
import { asFlag, asText, type Fields, fieldsOf, reading } from '../../answer-fields.ts';
import { bodyOf, failed } from '../../exchange.ts';
import type { Priority } from '../../rate-limits.ts';
import type { Ask, Connection } from '../connection.ts';
import { COMPETING, statusAfter } from './establish-session.ts';
import { failureOf, isForbidden, mayLackSession } from '../failure-of.ts';
import type { SessionStarter } from './session-starter.ts';
import type { SessionStatus } from './session-status.ts';

export type SessionQueries = {
  /** A query that needs the inner session: starts it if necessary, and once more if it turns out to be gone. */
  query(ask: Ask): Promise<BrokerAnswer<unknown>>;
  /** The vendor's trade queries and cancellations apply only to the selected account. */
  select(accountId: BrokerAccountId, priority: Priority): Promise<BrokerAnswer<null>>;
  /** A query about the selected account: a session restarted meanwhile has another account selected. */
  queryOf(accountId: BrokerAccountId, ask: Ask): Promise<BrokerAnswer<unknown>>;
  /** Whether the inner session is up, asked of the vendor; its lists may have begun again. */
  confirm(): Promise<boolean>;
  /** Called when an answer shows that the inner session is gone. */
  lost(detail: string): void;
};

export function createSessionQueries(
  connection: Connection,
  status: SessionStatus,
  starter: SessionStarter,
): SessionQueries {
  const lost = (detail: string) => status.note(detail === COMPETING ? 'competing' : 'degraded', detail);

  const confirm = async () => {
    const isUp = await starter.confirm();
    if (!isUp) lost('the trading session is not up');
    return isUp;
  };

  const query = async (ask: Ask): Promise<BrokerAnswer<unknown>> => {
    let isUp = false;
    for (let attempt = 1; ; attempt++) {
      const ready = await starter.ready();
      if (ready.outcome === 'failed') return ready;
      const result = await connection.query(ask);
      const failure = failureOf(result);
      if (!failure) return { outcome: 'ok', value: bodyOf(result) };
      if (failure.code === 'unauthorized' || result.kind === 'lost' || isForbidden(result))
        status.note(statusAfter(result, failure), failure.reason);
      if (failure.code === 'no_session') lost(failure.reason);
      if (!mayLackSession(result)) return failure;
      if (attempt === 2) return isUp ? failure : failed('no_session', failure.reason);
      isUp = await confirm();
    }
  };

  const select: SessionQueries['select'] = async (accountId, priority) => {
    const ready = await starter.ready();
    if (ready.outcome === 'failed') return ready;
    if (starter.selected === accountId) return { outcome: 'ok', value: null };
    const answer = await query({
      method: 'POST',
      path: '/iserver/account',
      json: { acctId: accountId },
      priority,
    });
    if (answer.outcome === 'failed') return answer;
    const refusal = reading(() => switchRefusal(fieldsOf(answer.value, 'the switch of accounts'), accountId));
    if (refusal.outcome === 'failed') return refusal;
    if (refusal.value !== null) return failed('refused', refusal.value);
    starter.selected = accountId;
    return { outcome: 'ok', value: null };
  };

  const queryOf: SessionQueries['queryOf'] = async (accountId, ask) => {
    for (let attempt = 1; attempt <= SELECTIONS_MAX; attempt++) {
      const chosen = await select(accountId, ask.priority);
      if (chosen.outcome === 'failed') return chosen;
      const before = starter.starts;
      const answer = await query(ask);
      if (answer.outcome === 'failed' || starter.starts === before) return answer;
    }
    return failed('no_session', 'the trading session does not stay');
  };

  return { query, select, queryOf, lost, confirm };
}

/** Null when the switch succeeded or was already in place; a text, even with status 200, is the vendor's refusal. */
function switchRefusal(answer: Fields, accountId: string): string | null {
  const isSet = asFlag(answer.set) === true || asText(answer.success) !== null;
  const other = asText(answer.acctId);
  if (isSet && (other === null || other === accountId)) return null;
  return asText(answer.error) ?? `the broker did not switch to the account ${accountId}`;
}

const SELECTIONS_MAX = 3;
