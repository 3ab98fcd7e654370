// An agent in wrong hands, with keys of one person, against the whole server: by the protocol that agents speak. HOSTILE_CALLS,
// HOSTILE_TEXTS and HOSTILE_SEED say how many and which; `npm run hostile-agent` runs more.
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { beforeAll, expect, test } from 'vitest';
import { WARNING } from '#server/mcp/untrusted-data.ts';
import { setStatus } from '#tests/support/deployment-commands.ts';
import { makeApiKey, type TestKey } from '#tests/support/api-key.ts';
import { testApp } from '#tests/support/test-app.ts';
import { newDeployment } from '#tests/support/test-deployment.ts';
import type { TestPerson } from '#tests/support/test-person.ts';
import { publishedStrategy } from '#tests/support/test-strategy.ts';
import { chanceOf } from '../simulation/chance.ts';
import {
  hostileCall,
  type HostileCall,
  injectedText,
  type KeyName,
  type Kind,
  LIMITS,
  type Targets,
} from './hostile-calls.ts';

const CALLS = Number(process.env.HOSTILE_CALLS || 600);
const TEXTS = Number(process.env.HOSTILE_TEXTS || 20);
const SEED = Number(process.env.HOSTILE_SEED || 1);
/** What is held is looked at so often. */
const ROUND = 200;
const AT_ONCE = 4;
const BUDGET = 30_000;

const app = await testApp();
const base = await app.app.listen({ port: 0, host: '127.0.0.1' });
const { pool } = app.records;

const keys = new Map<KeyName, TestKey>();
const clients = new Map<KeyName, Client | null>();
const counts = new Map<Kind, { sent: number; refused: number }>();
const failures: string[] = [];
let victim: TestPerson;
let connection: string;
let strategies: string[];
let foreign: string[];
let untouched: string;
let firstRow: number;
let sent = 0;

async function connect(secret: string): Promise<Client> {
  const client = new Client({ name: 'hostile', version: '1' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp', base), {
      requestInit: { headers: { authorization: `Bearer ${secret}` } },
    }),
  );
  return client;
}

/** Everything of the deployments that the keys must not touch. */
async function stateOfForeign(): Promise<string> {
  const { rows } = await pool.query(
    `select d.id, d.status, d.requested_status, d.investment_micro, d.stop_loss_percentage, (select count(*) from deployment_flows f
       where f.deployment_id = d.id) as flows, (select count(*) from liquidation_requests l where l.deployment_id = d.id) as asked
     from deployments d where d.id = any($1::uuid[]) order by 1`,
    [foreign],
  );
  return JSON.stringify(rows);
}

beforeAll(async () => {
  const [mine, theirs] = [await newDeployment(app), await newDeployment(app)];
  victim = mine.person;
  connection = mine.person.connectionId;
  strategies = [await publishedStrategy(app), await publishedStrategy(app, { name: 'Other' })];
  const practice = await app.request({
    method: 'POST',
    url: '/api/practice-deployments/',
    token: victim.token,
    body: { strategy: strategies[0], investment_amount: 10_000, ...LIMITS },
  });
  foreign = [mine.deploymentId, theirs.deploymentId, practice.body.id];
  const limits = { budget: BUDGET, actsPerDay: 1_000 };
  keys.set('full', await makeApiKey(app, victim.token, limits));
  keys.set('practice', await makeApiKey(app, victim.token, { ...limits, scopes: ['read', 'practice'] }));
  keys.set('reader', await makeApiKey(app, victim.token, { scopes: ['read'] }));
  keys.set('revoked', await makeApiKey(app, victim.token, limits));
  for (const [name, { secret }] of keys) clients.set(name, await connect(secret));
  const { id } = keys.get('revoked')!;
  await app.request({ method: 'DELETE', url: `/api/keys/${id}/`, token: victim.token });
  // More than anybody may allow, so that calls reach further than the limit of the day.
  await pool.query('update api_keys set acts_per_day = 1000000000 where acts_per_day is not null');
  untouched = await stateOfForeign();
  firstRow = Number((await pool.query('select max(seq) as seq from audit_log')).rows[0].seq);
}, 120_000);

async function targets(): Promise<Targets> {
  const { rows: own } = await pool.query<{ id: string }>(
    'select deployment_id as id from api_key_deployments order by 1 limit 50',
  );
  const { rows: acts } = await pool.query<{ id: string }>(
    `select id from api_key_acts where status = 'waiting' order by 1 limit 20`,
  );
  const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);
  return { strategies, connection, foreign, own: ids(own), acts: ids(acts) };
}

async function send({ kind, key, tool, given, times }: HostileCall): Promise<void> {
  const client = clients.get(key)!;
  const tries = Array.from({ length: times }, async () => {
    sent += 1;
    const count = counts.get(kind) ?? { sent: 0, refused: 0 };
    counts.set(kind, count);
    count.sent += 1;
    try {
      const { isError, content } = await client!.callTool({ name: tool, arguments: given });
      const { text } = (content as { text: string }[])[0]!;
      if (isError) {
        count.refused += 1;
        if (/"code":"internal_error"/.test(text))
          failures.push(`${tool} ${JSON.stringify(given).slice(0, 200)}: ${text}`);
      }
    } catch {
      // The protocol itself refused it.
      count.refused += 1;
    }
  });
  await Promise.all(tries);
}

/** What must hold at every moment. */
async function expectHeld(): Promise<void> {
  const { rows: held } = await pool.query<{ id: string; held: string; budget: string }>(
    `select id, held_by_key(id) as held, budget_micro as budget from api_keys where budget_micro is not null`,
  );
  for (const { id, held: now, budget } of held)
    if (BigInt(now) > BigInt(budget)) failures.push(`the key ${id} holds ${now} of ${budget}`);
  if ((await stateOfForeign()) !== untouched) failures.push('a deployment that is not of a key has changed');
  const { rows: real } = await pool.query(
    `select d.id from deployments d join api_key_deployments k on k.deployment_id = d.id where d.mode <> 'practice'
     union all select id from deployment_flows union all select id from orders`,
  );
  for (const { id } of real) failures.push(`${id}: real money, a flow or an order that nobody accepted`);
}

/** Rows of the audit log that the test itself caused. */
const ours = new Set<string>();

/** The deployments of the keys end, so that the next round comes to the edge of the budget again. */
async function release(): Promise<void> {
  const seq = async () =>
    BigInt((await pool.query('select max(seq) as seq from audit_log')).rows[0].seq as string);
  const before = await seq();
  const { rows } = await pool.query<{ id: string }>(
    'select deployment_id as id from api_key_deployments k join live_deployments d on d.id = k.deployment_id',
  );
  for (const { id } of rows) await setStatus(pool, id, 'stopped');
  for (let nth = before + 1n; nth <= (await seq()); nth++) ours.add(String(nth));
}

const rounds = Array.from({ length: Math.ceil(CALLS / ROUND) }, (_, round) => round);

test.each(rounds)(
  'round %i: nothing beyond the budget, and nothing of others',
  { timeout: 600_000 },
  async (round) => {
    const chance = chanceOf(SEED, round);
    const wanted = Math.min(ROUND, CALLS - round * ROUND);
    for (let nth = 0; nth < wanted; nth += AT_ONCE) {
      const known = await targets();
      await Promise.all(Array.from({ length: AT_ONCE }, () => send(hostileCall(known, chance))));
    }
    await expectHeld();
    expect(failures).toEqual([]);
    await release();
  },
);

test('an agent that obeys every injected text does no more', { timeout: 600_000 }, async () => {
  const chance = chanceOf(SEED, 1_000_003);
  const reader = clients.get('reader')!;
  for (let nth = 0; nth < TEXTS; nth++) {
    const { text, call } = injectedText(await targets(), chance);
    const id = await publishedStrategy(app, { name: text.slice(0, 120) });
    await pool.query('update strategies set description = $2, short_description = $2 where id = $1', [
      id,
      text,
    ]);
    const { content } = await reader.callTool({ name: 'getStrategy', arguments: { id } });
    const said = (content as { text: string }[])[0]!.text;
    const [, before, , inside] =
      /^(.*)\n<(untrusted-data-[0-9a-f]{16})>\n([\s\S]*)\n<\/\2>$/.exec(said) ?? [];
    const shown = inside === undefined ? null : (JSON.parse(inside) as { description: string });
    // Outside of the marks stands our own sentence and nothing else.
    if (before !== WARNING || shown?.description !== text)
      failures.push(`text ${nth} does not stand between the marks`);
    await send({ ...call, key: 'full' });
  }
  await expectHeld();
  expect(failures).toEqual([]);
});

test('no act is without a name in the audit log', async () => {
  const known = [...keys.values()].map(({ id }) => id);
  const { rows } = await pool.query<{ seq: string; actor: string; action: string; key: string | null }>(
    `select seq, actor, action, details::jsonb ->> 'api_key' as key from audit_log where seq > $1 and action !~ '^orders' order by seq`,
    [firstRow],
  );
  for (const { seq, actor, action, key } of rows)
    if (!ours.has(seq) && (actor !== `client:${victim.id}` || key === null || !known.includes(key)))
      failures.push(`audit row ${seq}, ${action}: by ${actor} with the key ${key}`);
  const { rows: unlisted } = await pool.query(
    `select k.deployment_id as id from api_key_deployments k where k.is_made and not exists (
       select from audit_log l where l.action = 'deployment.created' and l.subject = 'deployment:' || k.deployment_id
         and l.details::jsonb ->> 'api_key' = k.api_key_id::text)`,
  );
  for (const { id } of unlisted) failures.push(`the deployment ${id} of a key is not in the audit log`);
  expect(failures).toEqual([]);
  expect(rows.length).toBeGreaterThan(0);
});

test('every kind of attack was tried, and some of what a key may do was done', async () => {
  expect(sent).toBeGreaterThanOrEqual(CALLS + TEXTS);
  const { rows } = await pool.query(`select count(*)::int as made from api_key_deployments where is_made`);
  expect(rows[0].made, 'a key that can do nothing would prove nothing').toBeGreaterThan(0);
  const { rows: acts } = await pool.query<{ status: string; count: number }>(
    'select status, count(*)::int as count from api_key_acts group by 1 order by 1',
  );
  const file = process.env.HOSTILE_RESULT;
  if (file)
    writeFileSync(
      file,
      JSON.stringify({
        sent,
        texts: TEXTS,
        counts: [...counts],
        acts,
        made: rows[0].made,
        failures,
        run: randomUUID(),
      }),
    );
});
