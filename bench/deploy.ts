// POST /deployments/ with its cash check: median and 99th percentile over HTTP, the whole server, real PostgreSQL, the
// trader's answers and the adapter at the vendor's published pacing, against the stand-in that enforces it. Three rows:
// the cash is known, it is not and the trader is asked, and the broker hangs.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PUBLISHED_RATE_LIMITS } from '#adapters/broker/interactive-brokers/config.ts';
import type { BrokerSession } from '#ports/broker.ts';
import type { MarketDataFeed } from '#ports/market-data.ts';
import { startDatabase } from '#processes/database/embedded-postgres.ts';
import type { Keyring } from '#records/keys/keyring.ts';
import { createBrokerQuestions } from '#records/brokerage/broker-questions.ts';
import { sharedRateLimiter } from '#records/brokerage/shared-rate-limiter.ts';
import { openDatabase } from '#records/postgres/database.ts';
import { migrateAsOwner } from '#records/postgres/migrate.ts';
import { createDeploymentReader } from '#server/deployments/deployment-reader.ts';
import { issueAccessToken } from '#server/identity/session/access-token.ts';
import type { BrokerAccountId, BrokerConnectionId, UserId } from '#units/identifiers.ts';
import { instant } from '#units/instant.ts';
import { fixedPrices, SATURDAY } from '../tests/broker/fixed-prices.ts';
import { openInProcessHarness } from '../tests/broker/in-process-harness.ts';
import { startDesk } from '../tests/support/answering-desk.ts';
import { publishedStrategy } from '../tests/support/test-strategy.ts';
import { insertPerson } from '../tests/support/trading-rows.ts';
import { benchApp } from './bench-app.ts';
import { benchKeys } from './bench-keys.ts';

const PEOPLE = 60;
const READ_WITHIN_MS = 120_000;
const now = () => instant(Date.now());

const MARKET = {
  clock: async () => ({
    ok: true,
    value: { now: SATURDAY, daySeconds: 20, mode: 'sandbox', paused: false, endsAt: null },
  }),
} as unknown as MarketDataFeed;

const dataDir = mkdtempSync(path.join(tmpdir(), 'bellwether-bench-'));
const server = await startDatabase(dataDir);
const records = openDatabase(server.url, { poolSize: 16 });
try {
  await migrateAsOwner(server.ownerUrl);
  await run();
} catch (error) {
  console.error(error);
  process.exit(1);
} finally {
  await records.close();
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
  rmSync(server.home, { recursive: true, force: true });
}

async function run(): Promise<void> {
  const harness = await openInProcessHarness({
    prices: fixedPrices(),
    now: () => SATURDAY,
    realNow: Date.now,
    config: {
      rateLimits: PUBLISHED_RATE_LIMITS,
      sharedLimiterOf: (userHash) => sharedRateLimiter(records.database, { server: 'stand-in', userHash }),
    },
  });
  harness.script({ limits: true });
  const keys = await benchKeys(records.database);
  const people = await fill(harness, keys);
  let hangs = false;
  const sessions = new Map<string, Promise<BrokerSession>>();
  const sessionOf = (connection: string): Promise<BrokerSession> => {
    const known = sessions.get(connection) ?? open(connection);
    sessions.set(connection, known);
    return known;
  };
  const open = async (connection: string): Promise<BrokerSession> => {
    const person = people.find((one) => one.connection === connection)!;
    const session = await person.session();
    const cash: BrokerSession['cash'] = (account) =>
      hangs ? new Promise(() => undefined) : session.cash(account);
    return { ...session, cash };
  };
  const stopDesk = startDesk({
    handle: records,
    broker: harness.broker,
    answersFor: 'connections',
    findSession: ({ id }) => sessionOf(id),
  });
  const brokerQuestions = createBrokerQuestions(records);
  const app = await benchApp({
    records,
    keys,
    now,
    findDeployment: createDeploymentReader(records.pool, [harness.broker]),
    brokers: [harness.broker],
    brokerQuestions,
    marketData: MARKET,
  });
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  await allRead(people.length);
  const deploy = async ({ token, connection, strategy }: (typeof people)[number]): Promise<number> => {
    const from = performance.now();
    const answer = await fetch(`${address}/api/deployments/`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        strategy,
        broker_connection: connection,
        investment_amount: 1_000,
        stop_loss_percentage: 10,
        max_allocation_per_trade: 20,
        freeze_on_drawdown: 25,
      }),
    });
    const body = await answer.text();
    if (answer.status !== 201) throw new Error(`${answer.status} ${body}`);
    return performance.now() - from;
  };
  const row = async (name: string, before: () => Promise<unknown>) => {
    const took: number[] = [];
    for (const person of people) {
      await before();
      took.push(await deploy(person));
    }
    const sorted = took.toSorted((left, right) => left - right);
    const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
    console.log(
      `${name.padEnd(28)} median ${at(0.5).toFixed(0).padStart(4)} ms  p99 ${at(0.99).toFixed(0).padStart(4)} ms  ${took.length} deployments`,
    );
  };
  const forget = () => records.pool.query('delete from account_cash');
  await row('cash known', async () => undefined);
  await row('cash asked of the trader', forget);
  hangs = true;
  await row('the broker hangs', forget);
  await app.close();
  await brokerQuestions.close();
  void stopDesk();
  harness.close();
}

/** People with every gate open, and an account at the stand-in each. */
async function fill(harness: Awaited<ReturnType<typeof openInProcessHarness>>, keys: Keyring) {
  const rows = { ...records, newId: randomUUID, now };
  const strategy = await publishedStrategy({ records }, { riskScore: 1, minInvestment: 1 });
  const people = [];
  for (let i = 0; i < PEOPLE; i++) {
    const { accountId, session } = await harness.person(`person-${i}`);
    const person = await insertPerson(rows, { account: accountId as BrokerAccountId });
    const sessionId = randomUUID();
    await records.pool.query(
      `insert into sessions (id, user_id, remember, expires_at) values ($1, $2, false, now() + interval '1 day')`,
      [sessionId, person.user],
    );
    const token = await issueAccessToken(
      { userId: person.user as UserId, sessionId },
      keys.newest('access_token'),
      now(),
    );
    const connection = person.connection as BrokerConnectionId;
    people.push({ token, connection, session, strategy });
  }
  await records.pool.query(`update users set date_of_birth = '1980-02-29', country = 'CH'`);
  await records.pool.query(`update agreements set status = 'signed', signed_at = now()`);
  await records.pool.query(`update brokers set supported_assets = '{equity}'`);
  return people;
}

/** The trader has read every account once. One that it cannot read ends the bench: it would wait for ever. */
async function allRead(count: number): Promise<void> {
  const until = performance.now() + READ_WITHIN_MS;
  for (;;) {
    const { rows } = await records.pool.query(`select count(*)::int as read from account_cash`);
    if (rows[0].read >= count) return;
    if (performance.now() > until)
      throw new Error(`the trader has read ${rows[0].read} of ${count} accounts`);
    await new Promise((done) => setTimeout(done, 200));
  }
}
