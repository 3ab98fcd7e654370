import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { runStaffCommand } from '../../processes/staff/staff-command.ts';
import { instant } from '#units/instant.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { signedInPerson, type TestPerson } from '../../../tests/support/test-person.ts';
import { publishedStrategy } from '../../../tests/support/test-strategy.ts';

const app = await testApp();
const { request, records, world } = app;
const owner = await signedInPerson(app);
const trade = {
  id: 't1',
  symbol: 'SPY',
  side: 'long' as const,
  entry_date: '2025-11-03',
  exit_date: '2025-11-10',
  entry_price: 100,
  exit_price: 101.5,
  quantity: 12,
  pnl: 1.5,
  pnl_amount: 18,
};

/** A draft with a result, of this person or of the provider. */
async function draftOf(person: TestPerson | null): Promise<string> {
  const id = await publishedStrategy(app, { status: 'draft', trades: [trade] });
  await records.pool.query('update strategies set owner_id = $1 where id = $2', [person?.id ?? null, id]);
  return id;
}

const draft = await draftOf(owner);
const mint = (id: string, { token }: TestPerson) =>
  request({ method: 'POST', url: `/api/strategies/${id}/trade_log_link/`, token });
const INVALID = { status: 400, body: { code: 'invalid_token' } };

test('a link downloads the log of an own draft once, as a file that nobody keeps', async () => {
  const { status, body } = await mint(draft, owner);
  expect(status).toBe(201);
  expect(body.expires_at).toBe(new Date(world.now + 60_000).toISOString());
  const file = await request({ url: body.url });
  expect(file).toMatchObject({ status: 200, text: expect.stringContaining('\r\nSPY,long,2025-11-03,') });
  expect(file.headers).toMatchObject({
    'cache-control': 'no-store',
    'content-disposition': 'attachment; filename="draft-trades.csv"',
    'referrer-policy': 'no-referrer',
  });
  expect(await request({ url: body.url })).toMatchObject(INVALID);
});

test('of two downloads at once one succeeds', async () => {
  const { body } = await mint(draft, owner);
  const answers = await Promise.all([request({ url: body.url }), request({ url: body.url })]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
});

test('a look at the address does not use the link up', async () => {
  const { body } = await mint(draft, owner);
  expect((await app.app.inject({ method: 'HEAD', url: body.url })).statusCode).toBe(404);
  expect((await request({ url: body.url })).status).toBe(200);
});

test('a link ends after its minute', async () => {
  const { body } = await mint(draft, owner);
  world.now = instant(world.now + 60_000);
  expect(await request({ url: body.url })).toMatchObject(INVALID);
});

test('a link opens nothing but its own strategy, and its secret is nowhere in the database', async () => {
  const { body } = await mint(draft, owner);
  const token = new URL(body.url, 'http://x').searchParams.get('link')!;
  const other = await draftOf(owner);
  expect(await request({ url: `/api/strategies/${other}/strategy_trades_csv?link=${token}` })).toMatchObject(
    INVALID,
  );
  for (const end of ['', 'trades/', 'performance/', 'evidence/']) {
    expect((await request({ url: `/api/strategies/${draft}/${end}?link=${token}` })).status).toBe(404);
  }
  const { rows } = await records.pool.query(
    `select count(*)::int as found from trade_log_links where encode(token_hash, 'escape') like $1`,
    [`%${token}%`],
  );
  expect(rows).toEqual([{ found: 0 }]);
  expect((await request({ url: body.url })).status).toBe(200);
});

test('without a link a draft is not there; a public strategy needs none', async () => {
  expect((await request({ url: `/api/strategies/${draft}/strategy_trades_csv` })).status).toBe(404);
  const open = await publishedStrategy(app, { trades: [trade] });
  expect((await request({ url: `/api/strategies/${open}/strategy_trades_csv?link=anything` })).status).toBe(
    200,
  );
});

test('only the writer gets a link, staff for the provider’s drafts; one without a result has no log', async () => {
  const stranger = await signedInPerson(app);
  const provided = await draftOf(null);
  const absent = await mint(randomUUID(), stranger);
  expect(absent.status).toBe(404);
  for (const id of [draft, provided]) expect((await mint(id, stranger)).text).toBe(absent.text);
  await runStaffCommand(
    { name: 'create', email: stranger.email, role: 'provider', firstName: 'P' },
    records.database,
    null,
  );
  expect((await mint(provided, stranger)).status).toBe(201);
  const empty = await draftOf(owner);
  await records.pool.query(
    'delete from backtests b using strategy_versions v where v.id = b.strategy_version_id and v.strategy_id = $1',
    [empty],
  );
  expect(await mint(empty, owner)).toMatchObject({
    status: 404,
    body: { message: expect.stringContaining('no backtest result yet') },
  });
});
