import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { bossOn } from '#records/jobs/boss-on.ts';
import { DEAD_LETTERS, type DueWork } from '#records/jobs/queues.ts';
import { countTrials } from '#records/results/trials.ts';
import { storeMarket } from '#tests/support/committed-strategy.ts';
import { failForGood } from '#tests/support/dead-letter.ts';
import { marketFeedAt } from '#tests/support/job-market.ts';
import { postDraft } from '#tests/support/post-draft.ts';
import { claimed } from '#tests/support/run-jobs.ts';
import { testApp } from '#tests/support/test-app.ts';
import { testKeyFile } from '#tests/support/test-keyring.ts';
import { signedInPerson } from '#tests/support/test-person.ts';
import { instant } from '#units/instant.ts';
import { dueWorkHandler } from '../due-work.ts';

const { file: rootKey, management } = testKeyFile();
const app = await testApp({}, undefined, { management });
const { request, records } = app;
const bars = await storeMarket(records.database);
app.world.marketNow = bars[599]!.closedAt;
const { token } = await signedInPerson(app);
const dataDir = mkdtempSync(path.join(tmpdir(), 'bellwether-worker-'));
const environment = {
  ...process.env,
  DATABASE_URL: records.url,
  MARKET_FEED_URL: await marketFeedAt(bars[699]!.closedAt),
  DATA_DIR: dataDir,
  // It signs webhooks.
  KEK_FILE: rootKey,
  LOG_LEVEL: 'silent',
  MAIL_URL: await silentMailServer(),
};

const handedOver: string[] = [];

/** Accepts a mail and never confirms it. */
async function silentMailServer(): Promise<string> {
  const server = createServer((socket) => {
    let text = '';
    let inMail = false;
    socket.on('error', () => undefined);
    socket.write('220 mail\r\n');
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (inMail) {
        if (text.endsWith('\r\n.\r\n')) handedOver.push(text);
        return;
      }
      inMail = text.startsWith('DATA');
      text = '';
      socket.write(inMail ? '354 go on\r\n' : '250 good\r\n');
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  afterAll(() => server.close());
  return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const workers = new Set<Killable>();
afterAll(async () => {
  await Promise.all([...workers].map((worker) => worker.kill()));
  rmSync(dataDir, { recursive: true, force: true });
});

type Killable = { kill(): Promise<void> };

async function startWorker(): Promise<Killable> {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, '../demo-world/main.ts'), 'worker'], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((serving) => child.stdout.once('data', serving));
  const ended = new Promise<void>((gone) => child.once('exit', () => gone()));
  const worker = {
    async kill() {
      child.kill('SIGKILL');
      await ended;
      workers.delete(worker);
    },
  };
  workers.add(worker);
  return worker;
}

const look = async (id: string) => (await request({ url: `/api/backtests/${id}/`, token })).body;

async function until<Value>(read: () => Promise<Value>, isReached: (value: Value) => boolean) {
  for (;;) {
    const value = await read();
    if (isReached(value)) return value;
    await pause(50);
  }
}

/** Ages the claims of a dead worker by 15 seconds. */
const letTimePass = () =>
  records.pool.query(
    `update pgboss.job set heartbeat_on = heartbeat_on - interval '1 minute' where state = 'active'`,
  );

const SETS = 300;

async function askForSweep(): Promise<{ id: string; strategyId: string }> {
  const strategyId = await postDraft(app, token);
  const parameters = [
    { path: 'features.fast.length', values: [2, 3, 4] },
    { path: 'features.slow.length', values: Array.from({ length: SETS / 3 }, (_, i) => 20 + i) },
  ];
  const { status, body } = await request({
    method: 'POST',
    url: `/api/strategies/${strategyId}/backtests/`,
    token,
    body: { kind: 'sweep', parameters },
  });
  expect(status).toBe(202);
  return { id: body.id, strategyId };
}

const tries = async (strategyId: string) =>
  (await countTrials(records.database, strategyId as Parameters<typeof countTrials>[1])).tries;

test('the job of a killed worker is taken over, and no trial is counted twice', async () => {
  const worker = await startWorker();
  const { id, strategyId } = await askForSweep();
  await until(
    () => tries(strategyId),
    (count) => count > 5,
  );
  await worker.kill();
  const before = await tries(strategyId);
  expect(before).toBeLessThan(SETS);
  expect((await look(id)).status).toBe('running');
  await letTimePass();
  await startWorker();
  const ended = await until(
    () => look(id),
    ({ status }) => status !== 'queued' && status !== 'running',
  );
  expect(ended).toMatchObject({ status: 'done', result: { trials: SETS } });
  expect(ended.result.sweep.runs).toHaveLength(SETS);
  expect(await tries(strategyId)).toBe(SETS);
}, 60_000);

test('a job that killed two workers fails with an explanation', async () => {
  for (const worker of workers) await worker.kill();
  const { id } = await askForSweep();
  const claim = async () => {
    const { rows } = await records.pool.query<{ retries: number }>(
      `select retry_count as retries from pgboss.job where singleton_key = $1 and state = 'active'`,
      [id],
    );
    return rows[0]?.retries ?? -1;
  };
  for (const retries of [0, 1]) {
    const worker = await startWorker();
    await until(claim, (count) => count === retries);
    await worker.kill();
    await letTimePass();
  }
  await startWorker();
  const ended = await until(
    () => look(id),
    ({ status }) => status === 'failed' || status === 'done',
  );
  expect(ended).toMatchObject({ status: 'failed', message: expect.stringContaining('interrupted twice') });
}, 60_000);

test('a mail whose worker was killed before the mail server answered is not sent a second time', async () => {
  for (const worker of workers) await worker.kill();
  const { email, id } = await signedInPerson(app);
  await request({ method: 'POST', url: '/api/auth/password/reset/', body: { email } });
  const worker = await startWorker();
  await until(
    async () => handedOver.length,
    (count) => count > 0,
  );
  await worker.kill();
  await letTimePass();
  await startWorker();
  await until(
    async () => {
      // The queue pauses before the next attempt.
      await records.pool.query(
        `update pgboss.job set start_after = now() where name = 'mails' and state = 'retry'`,
      );
      const { rows } = await records.pool.query<{ status: string }>(
        'select status from mails where user_id = $1',
        [id],
      );
      return rows[0]!.status;
    },
    (status) => status === 'unknown',
  );
  expect(handedOver).toHaveLength(1);
}, 60_000);

describe('due work', async () => {
  const app = await testApp();
  const { dependencies, records, request, world } = app;
  const look = (work: DueWork) => dueWorkHandler(dependencies)(claimed<'due-work'>({ work }));
  const boss = bossOn(records.database);
  const keysOf = async (queue: string) =>
    (await boss.findJobs(queue, { queued: true })).map(({ singletonKey }) => singletonKey);

  test('what signs nobody in any more is forgotten', async () => {
    const { id } = await signedInPerson(app);
    await records.pool.query("update sessions set ended_at = now() - interval '1 year' where user_id = $1", [
      id,
    ]);
    await look('expired');
    const { rows } = await records.pool.query('select from sessions where user_id = $1', [id]);
    expect(rows).toEqual([]);
  });

  test('a plan whose period has ended is renewed by one job, even after repeated scans', async () => {
    const { token, id } = await signedInPerson(app);
    const chosen = await request({
      method: 'POST',
      url: '/api/billing/plan/',
      token,
      body: { plan: 'pro', interval: 'monthly' },
    });
    expect(chosen.status).toBe(201);
    await look('plans');
    expect(await keysOf('plan-renewals')).toEqual([]);
    const now = world.now;
    world.now = instant(now + 32 * 86_400_000);
    await look('plans');
    await look('plans');
    world.now = now;
    expect(await keysOf('plan-renewals')).toEqual([id]);
  });

  test('a permanently failed mail is not sent again until support decides', async () => {
    const key = (await keysOf('plan-renewals'))[0]!;
    await failForGood(records.database, 'plan-renewals', { key, output: { detail: 'no answer' } });
    world.now = instant(world.now + 32 * 86_400_000);
    await look('plans');
    expect(await keysOf('plan-renewals')).toEqual([]);
    await boss.redrive(DEAD_LETTERS);
    expect(await keysOf('plan-renewals')).toEqual([key]);
  });
});
