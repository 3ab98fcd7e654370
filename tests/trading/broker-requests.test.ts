// What the API asks of the trader: one owner of each session, one answer for all who ask, nothing lost or answered twice
// when processes die, and no deployment traded on cash that nobody has seen.
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import type { BrokerAnswer, BrokerCash, BrokerCredentials } from '#ports/broker.ts';
import { createBrokerQuestions } from '#records/brokerage/broker-questions.ts';
import { answerRequest, askTrader, findAnswer } from '#records/brokerage/broker-requests.ts';
import { cashOf } from '#tests/support/test-app.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import { insertPerson } from '#tests/support/trading-rows.ts';
import { BOTH_ABOVE_30, tradingWorld } from '#tests/support/trading-world.ts';
import type { BrokerConnectionId, UserId } from '#units/identifiers.ts';

const handle = await testDatabase();
const { pool, database } = handle;
const world = await tradingWorld(handle);
const { venue } = world;
const version = await world.addStrategy(BOTH_ABOVE_30);

/** What the venue reports of an account, or of any; and how often it was asked, and a session opened. */
const reported = new Map<string, () => Promise<BrokerAnswer<BrokerCash>>>();
const asked: string[] = [];
const opened: unknown[] = [];
const open = venue.broker.openSession;
Object.assign(venue.broker, {
  openSession: async ({ connection }: BrokerCredentials) => {
    opened.push(connection);
    const answer = await open({});
    if (answer.outcome === 'failed') return answer;
    const cash = async (account: string) => {
      asked.push(account);
      return (await reported.get(account)?.()) ?? cashOf(1_000_000);
    };
    return { outcome: 'ok', value: { ...answer.value, cash } };
  },
});
/** The next reports of the account hang until one is given. */
function hold(account: string): (answer: BrokerAnswer<BrokerCash>) => void {
  let give: (answer: BrokerAnswer<BrokerCash>) => void = () => undefined;
  const held = new Promise<BrokerAnswer<BrokerCash>>((resolve) => (give = resolve));
  reported.set(account, () => held);
  return give;
}
const openedWith = (connection: string) => opened.filter((one) => one === connection).length;
const timesAsked = (account: string) => asked.filter((one) => one === account).length;

const questions = createBrokerQuestions(handle);
let stopAnswering: (() => Promise<void>) | null = null;
afterEach(async () => {
  await stopAnswering?.();
  stopAnswering = null;
});
afterAll(async () => {
  await questions.close();
  await world.trader.close();
});
/** The trader holds its shards after a tick, and answers from then on. */
async function answering() {
  await world.trader.tick();
  stopAnswering = world.trader.answer();
}

async function connected() {
  const id = await world.deploy(version);
  const { rows } = await pool.query<{ connection: BrokerConnectionId; user_id: UserId; account_id: string }>(
    `select c.id as connection, c.user_id, c.account_id from deployments d
     join broker_connections c on c.id = d.broker_connection_id where d.id = $1`,
    [id],
  );
  const { connection, user_id: userId, account_id: account } = rows[0]!;
  return { deployment: id, connection: { id: connection, userId }, account };
}
const askedRows = async (connection: string) =>
  (await pool.query('select id, answered_at from broker_requests where connection_id = $1', [connection]))
    .rows;
const readings = async (account: string) =>
  (await pool.query('select cash_micro from account_cash where account_id = $1', [account])).rows;

describe('a request', () => {
  test('is one row for all who ask at the same time, and its answer is for all of them', async () => {
    const { connection, account } = await connected();
    // A look asks for the cash too: the account hangs from here on.
    await world.trader.tick();
    const give = hold(account);
    stopAnswering = world.trader.answer();
    const answers = [1, 2, 3].map(() => questions.ask({ kind: 'cash', connection, patienceMs: 20_000 }));
    await expect.poll(() => askedRows(connection.id)).toHaveLength(1);
    await expect.poll(() => timesAsked(account)).toBeGreaterThan(0);
    const rows = await askedRows(connection.id);
    give(cashOf(5_000));
    expect(await Promise.all(answers)).toEqual([1, 2, 3].map(() => ({ outcome: 'ok', accounts: [] })));
    expect(rows).toHaveLength(1);
    expect(await readings(account)).toEqual([{ cash_micro: '5000000000' }]);
  });

  test('of someone else’s connection is not asked', async () => {
    const [mine, theirs] = [await connected(), await connected()];
    const connection = { id: theirs.connection.id, userId: mine.connection.userId };
    expect(await questions.ask({ kind: 'accounts', connection, patienceMs: 0 })).toBeNull();
    expect(await askedRows(theirs.connection.id)).toEqual([]);
  });

  test('of an API that is gone is dropped when its time is over', async () => {
    const { connection } = await connected();
    const id = await askTrader(database, { id: randomUUID(), kind: 'accounts', connection });
    await pool.query(`update broker_requests set expires_at = clock_timestamp() where id = $1`, [id]);
    await answering();
    // A later one of another client is answered; this one is not.
    const other = await connected();
    await questions.ask({ kind: 'accounts', connection: other.connection, patienceMs: 20_000 });
    expect(await findAnswer(database, id!)).toBeNull();
    // Asked again it is the same question, and is answered.
    expect(await questions.ask({ kind: 'accounts', connection, patienceMs: 20_000 })).not.toBeNull();
    expect(await askedRows(connection.id)).toHaveLength(1);
  });

  test('of a trader that dies while it answers is answered by its successor, once', async () => {
    const { connection, account } = await connected();
    // A look asks for the cash too: the account hangs from here on.
    await world.trader.tick();
    const give = hold(account);
    stopAnswering = world.trader.answer();
    const answer = questions.ask({ kind: 'cash', connection, patienceMs: 30_000 });
    await expect.poll(() => timesAsked(account)).toBeGreaterThan(0);
    await expect.poll(() => askedRows(connection.id)).toHaveLength(1);
    const [old, stopOld] = [world.trader, stopAnswering];
    reported.set(account, async () => cashOf(7_000));
    await world.succeed();
    stopAnswering = world.trader.answer();
    expect(await answer).toEqual({ outcome: 'ok', accounts: [] });
    expect(await readings(account)).toEqual([{ cash_micro: '7000000000' }]);
    // What the old one learns after that is written nowhere.
    give(cashOf(1));
    await stopOld?.();
    await old.close();
    expect(await readings(account)).toEqual([{ cash_micro: '7000000000' }]);
    const [row] = await askedRows(connection.id);
    await answerRequest(database, { id: row.id, answer: { outcome: 'failed', code: 'unreachable' } });
    expect(await findAnswer(database, row.id)).toEqual({ outcome: 'ok', accounts: [] });
  });

  test('is answered over the session that the trader trades with, which is opened once', async () => {
    const { connection } = await connected();
    await world.trader.tick();
    const before = openedWith(connection.id);
    stopAnswering = world.trader.answer();
    const answers = [1, 2].map(() => questions.ask({ kind: 'cash', connection, patienceMs: 20_000 }));
    await world.runTicks(1);
    await Promise.all(answers);
    expect(openedWith(connection.id) - before).toBeLessThanOrEqual(1);
  });
});

test('accounts that cannot be read do not keep the others from being read', async () => {
  // Nothing is deployed there: more than one query returns.
  const rows = { pool, database, newId: randomUUID, now: world.market.now };
  const broken = await Promise.all(Array.from({ length: 60 }, () => insertPerson(rows)));
  const silent = new Set(broken.map(({ account }) => account));
  for (const account of silent)
    reported.set(account, async () => ({ outcome: 'failed', code: 'unauthorized', reason: 'gone' }));
  await answering();
  await expect
    .poll(() => broken.every(({ account }) => timesAsked(account) === 1), { timeout: 20_000 })
    .toBe(true);
  const { account } = await connected();
  await expect.poll(() => readings(account), { timeout: 20_000 }).toHaveLength(1);
  expect(broken.every(({ account: one }) => timesAsked(one) === 1)).toBe(true);
});

test('a new sign-in of the client opens a new session, and only then', async () => {
  const { connection } = await connected();
  await answering();
  const ask = () => questions.ask({ kind: 'cash', connection, patienceMs: 20_000 });
  await ask();
  const before = openedWith(connection.id);
  await ask();
  expect(openedWith(connection.id)).toBe(before);
  await pool.query(`update broker_connections set sealed_credentials = '\\x01' where id = $1`, [
    connection.id,
  ]);
  await ask();
  expect(openedWith(connection.id)).toBe(before + 1);
});

describe('a deployment made before its account’s cash was known', () => {
  const awaiting = async () => {
    const made = await connected();
    await pool.query('update deployments set awaits_cash = true where id = $1', [made.deployment]);
    return made;
  };
  const state = async (id: string) =>
    (await pool.query('select status, reason_code, awaits_cash from deployments where id = $1', [id]))
      .rows[0];
  const saved = (account: string, dollars: number, claimed: number) =>
    pool.query(
      `insert into account_cash values ($1, $2, $3, clock_timestamp())
       on conflict (account_id) do update set cash_micro = excluded.cash_micro,
         claimed_micro = excluded.claimed_micro, read_at = excluded.read_at`,
      [account, dollars * 1e6, claimed * 1e6],
    );

  test('waits for the report, then for the money, and trades only when both are there', async () => {
    const { deployment, account } = await awaiting();
    await world.runTicks();
    expect(await state(deployment)).toMatchObject({ status: 'pending', reason_code: 'cash_not_reported' });
    await saved(account, 9_999, 10_000);
    await world.runTicks();
    expect(await state(deployment)).toMatchObject({ status: 'pending', reason_code: 'cash_not_enough' });
    const { rows } = await pool.query('select 1 from orders where deployment_id = $1', [deployment]);
    expect(rows).toEqual([]);
    await saved(account, 10_000, 10_000);
    await world.runTicks();
    expect(await state(deployment)).toEqual({ status: 'active', reason_code: null, awaits_cash: false });
  });

  test('does not start on a reading that is too old', async () => {
    const { deployment, account } = await awaiting();
    await saved(account, 50_000, 10_000);
    await pool.query(
      `update account_cash set read_at = read_at - interval '3 minutes' where account_id = $1`,
      [account],
    );
    await world.runTicks();
    expect(await state(deployment)).toMatchObject({ status: 'pending', reason_code: 'cash_not_reported' });
  });

  test('does not share its money with another of the same account', async () => {
    const first = await awaiting();
    const person = {
      user: first.connection.userId,
      connection: first.connection.id,
      account: first.account,
    };
    const second = await world.deploy(version, { person });
    await pool.query('update deployments set awaits_cash = true where id = $1', [second]);
    await saved(first.account, 15_000, 20_000);
    await world.runTicks();
    expect(await state(first.deployment)).toMatchObject({ status: 'active' });
    expect(await state(second)).toMatchObject({ status: 'pending', reason_code: 'cash_not_enough' });
  });

  test('starts by itself once the trader has read the cash', async () => {
    const { deployment } = await awaiting();
    await answering();
    await expect
      .poll(
        async () => {
          await world.runTicks(1);
          return (await state(deployment)).status;
        },
        { timeout: 20_000 },
      )
      .toBe('active');
  });
});
