import { randomUUID } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, test, vi } from 'vitest';
import type { Passport, PassportBars } from '#engine/evidence/passport.ts';
import { verifyPassport } from '#engine/evidence/verify-passport.ts';
import { verifyStatement } from '#engine/evidence/verify-statement.ts';
import { giveRole } from '#tests/support/give-role.ts';
import { renewResult } from '#results/renew-result.ts';
import { commitStrategy, resultTools, storeMarket } from '#tests/support/committed-strategy.ts';
import { testApp } from '#tests/support/test-app.ts';
import { signedInPerson, type TestPerson } from '#tests/support/test-person.ts';
import { publishedStrategy } from '#tests/support/test-strategy.ts';
import { withoutGuards } from '#tests/support/without-guards.ts';
import { instant, MINUTE_MS } from '#units/instant.ts';

const app = await testApp();
const { request } = app;
const trade = {
  id: 't1',
  symbol: '=SPY()',
  side: 'short' as const,
  entry_date: '2025-11-03',
  exit_date: '2025-11-10',
  entry_price: 100,
  exit_price: 101.5,
  quantity: 12,
  pnl: -1.5,
  pnl_amount: -18,
};
const calm = await publishedStrategy(app, { trades: [trade, { ...trade, id: 't2', symbol: 'QQQ' }] });
const wild = await publishedStrategy(app, { name: 'Wild Coins', kind: 'crypto', riskScore: 5 });
const draft = await publishedStrategy(app, { status: 'draft' });

test('visitors see published strategies with the figures of their stored results', async () => {
  const { status, body } = await request({ url: '/api/strategies/' });
  expect(status).toBe(200);
  expect(body.map(({ id }: { id: string }) => id)).toEqual([calm, wild]);
  expect(body[0]).toMatchObject({
    min_investment: 5000,
    fees: 30,
    sharpeRatio: 1.2,
    backtest_results: { return_inception: 5.9, return_1y: null, total_trades: 2 },
    evidence: { input_hash: 'in', result_hash: 'out' },
    as_of: '2025-12-30',
  });
  expect(body[0].performanceChart.data).toHaveLength(40);
  expect(body[0].performanceChart.data.at(-1)).toBe(105_900);
});

test.each([
  ['?market=crypto', [wild]],
  ['?market=stocks', [calm]],
  ['?market=us&risk=all&type=all', [calm, wild]],
  ['?search=WILD', [wild]],
  ['?risk=high', []],
  ['?is_featured=true', []],
])('the filter %s leaves %j', async (query, expected) => {
  const { body } = await request({ url: `/api/strategies/${query}` });
  expect(body.map(({ id }: { id: string }) => id)).toEqual(expected);
});

test('filters may come in a body, and a wrong one is named', async () => {
  const filter = (body: object) => request({ method: 'POST', url: '/api/strategies/filter/', body });
  expect((await filter({ market: 'crypto' })).body).toMatchObject([{ id: wild }]);
  expect(await filter({ market: 'moon' })).toMatchObject({ status: 400, body: { field: 'market' } });
});

test('a draft, an absent id and a malformed id are all not found', async () => {
  for (const id of [draft, randomUUID(), 'new']) {
    for (const end of ['', 'performance/', 'trades/', 'strategy_trades_csv']) {
      const answer = await request({ url: `/api/strategies/${id}/${end}` });
      expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } });
    }
  }
});

test('performance by week ends on the last day, and a range holds its days', async () => {
  const week = await request({ url: `/api/strategies/${calm}/performance/?timeframe=week` });
  expect(week.body.labels.slice(0, 2)).toEqual(['2025-11-02', '2025-11-09']);
  expect(week.body.labels.at(-1)).toBe('2025-12-30');
  expect(week.body.drawdown.labels).toHaveLength(60);
  expect(week.body.recent_trades.map(({ id }: { id: string }) => id)).toEqual(['t2', 't1']);
  const range = await request({ url: `/api/strategies/${calm}/performance?timeframe=1W` });
  expect(range.body.labels).toHaveLength(8);
  expect(range.body.labels[0]).toBe('2025-12-23');
});

test('the trade log is a CSV file in which no cell is a formula', async () => {
  const answer = await request({ url: `/api/strategies/${calm}/strategy_trades_csv` });
  expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(answer.headers['content-disposition']).toMatch(/^attachment; filename=".*-trades.csv"$/);
  expect(answer.text).toBe(
    [
      'symbol,side,entry_date,exit_date,entry_price,exit_price,quantity,pnl',
      `"'=SPY()",short,2025-11-03,2025-11-10,100,101.5,12,-18`,
      'QQQ,short,2025-11-03,2025-11-10,100,101.5,12,-18',
      '',
    ].join('\r\n'),
  );
});

test('the log of a public strategy may be cached for a minute', async () => {
  const { headers } = await request({ url: `/api/strategies/${calm}/strategy_trades_csv` });
  expect(headers).toMatchObject({
    'cache-control': 'private, max-age=60',
    'referrer-policy': 'no-referrer',
  });
});

test('a long log is read in parts and arrives whole, oldest first', async () => {
  const many = Array.from({ length: 1_001 }, (_, i) => ({ ...trade, id: `n${i}`, symbol: `S${i}` }));
  const long = await publishedStrategy(app, { name: 'Zealous', trades: many });
  const { text } = await request({ url: `/api/strategies/${long}/strategy_trades_csv` });
  const symbols = text.split('\r\n').map((line) => line.split(',')[0]);
  expect(symbols).toEqual(['symbol', ...many.map(({ symbol }) => symbol), '']);
});

describe('its evidence', async () => {
  const { app, records, request } = await testApp();
  const bars = await storeMarket(records.database);
  const version = await commitStrategy(records.database, { slug: 'cross', committedAt: bars[599]!.closedAt });
  const tools = resultTools(records.database, bars[649]!.closedAt);
  await renewResult(tools, version);
  const path = `/api/strategies/${version.strategyId}/evidence/`;

  async function verify() {
    const passport = await request({ url: path });
    const data = await request({ url: `${path}data/` });
    expect([passport.status, data.status]).toEqual([200, 200]);
    const run = verifyPassport(passport.body as Passport, data.body as PassportBars, tools.engine);
    return verifyStatement(run, passport.body);
  }

  /** A quarter of an hour later each time: a download is kept for ten minutes. */
  const differing = async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 15 * MINUTE_MS });
    return (await verify()).parts.filter(({ agrees }) => !agrees).map(({ part }) => part);
  };
  afterAll(() => vi.useRealTimers());

  test('the passport and its bars verify as they come over the wire', async () => {
    const { verified, parts } = await verify();
    expect(parts.map(({ reason }) => reason)).toEqual([null, null, null, null, null, null]);
    expect(verified).toBe(true);
  });

  test('bars that closed after the result was made are not among its data', async () => {
    const { body } = await request({ url: `${path}data/` });
    expect(body.series.map(({ closed_at }: { closed_at: number[] }) => closed_at.at(-1))).toEqual(
      body.series.map(() => bars[649]!.closedAt),
    );
  });

  test('the data are compressed for clients that accept it', async () => {
    const answer = await app.inject({ url: `${path}data/`, headers: { 'accept-encoding': 'gzip' } });
    expect(answer.headers['content-encoding']).toBe('gzip');
    const plain = await request({ url: `${path}data/` });
    expect(gunzipSync(answer.rawPayload).toString()).toBe(plain.text);
  });

  test('the strategy shows its grade, its number of trials and its out-of-sample part', async () => {
    const { body } = await request({ url: `/api/strategies/${version.strategyId}/` });
    expect(body.evidence).toMatchObject({
      trials: { tries: 1, failed: 0, by_persons: 0 },
      out_of_sample: { days: 50, months: 1, is_enough: true },
      after_fee: { fee_percent: 30 },
      world: 'simulated',
      version: 1,
    });
    const { body: performance } = await request({
      url: `/api/strategies/${version.strategyId}/performance/`,
    });
    expect(performance.committed_on).toBe(body.evidence.out_of_sample.from.slice(0, 10));
  });

  test('each part of the record has figures, and annual ones only from one year on', async () => {
    const { body } = await request({ url: `/api/strategies/${version.strategyId}/` });
    const { in_sample: before, out_of_sample: since } = body.samples;
    expect([before.days, since.days]).toEqual([599, 50]);
    expect(since.from).toBe(before.to);
    expect(before).toMatchObject({ annual_return: expect.any(Number), sharpe_ratio: expect.any(Number) });
    expect(since).toMatchObject({ annual_return: null, sharpe_ratio: null, sortino_ratio: null });
    expect(since.total_return).toBeCloseTo(body.evidence.out_of_sample.total_return, 12);
    expect(since.total_return_after_fee).toBeLessThanOrEqual(since.total_return);
    const whole = (1 + before.total_return / 100) * (1 + since.total_return / 100) - 1;
    expect(whole * 100).toBeCloseTo(body.backtest_results.return_inception, 8);
    expect(before.total_trades + since.total_trades).toBe(body.backtest_results.total_trades);
  });

  test('the passport names the chain of each series that it was computed from', async () => {
    const { body } = await request({ url: path });
    const { body: data } = await request({ url: `${path}data/` });
    const symbols = data.series.map(
      ({ instrument }: { instrument: { symbol: string } }) => instrument.symbol,
    );
    expect(Object.keys(body.chains).sort()).toEqual(symbols);
    for (const head of Object.values(body.chains)) expect(head).toMatch(/^[0-9a-f]{64}$/);
  });

  test.each([
    ['bars', 'update bars set close = close * 1.0001 where date = (select min(date) + 20 from bars)', 'data'],
    [
      'rules',
      `update strategy_versions set definition = jsonb_set(definition, '{gross}', '0.9')`,
      'definition',
    ],
    ['costs', `update backtests set costs = jsonb_set(costs, '{performanceFeePercent}', '20')`, 'costs'],
    ['figures', `update backtests set figures = jsonb_set(figures, '{sharpe_ratio}', '9')`, 'result'],
    ['chart', `update backtests set series = jsonb_set(series, '{data,40}', '1000000')`, 'result'],
    ['trades', `update backtests set trades = jsonb_set(trades, '{0,pnl}', '99')`, 'result'],
    ['engine', `update backtests set engine_hash = 'older'`, 'engine'],
  ])('whoever changes the %s in the records is found out', async (_, statement, part) => {
    const client = await records.pool.connect();
    const kept = await client.query('select * from backtests');
    const definitions = await client.query('select id, definition from strategy_versions');
    await records.owner.query('create table kept_bars as select * from bars');
    await withoutGuards(records, statement);
    expect(await differing()).toContain(part);
    // Reset, it verifies again.
    await withoutGuards(records, 'delete from bars; insert into bars select * from kept_bars');
    await records.owner.query('drop table kept_bars');
    for (const { id, definition } of definitions.rows)
      await client.query('update strategy_versions set definition = $2 where id = $1', [
        id,
        JSON.stringify(definition),
      ]);
    for (const row of kept.rows)
      await client.query(
        'update backtests set engine_hash = $2, costs = $3, figures = $4, series = $5, trades = $6 where id = $1',
        [
          row.id,
          row.engine_hash,
          ...[row.costs, row.figures, row.series, row.trades].map((one) => JSON.stringify(one)),
        ],
      );
    client.release();
    expect(await differing()).toEqual([]);
  });

  test('any change to a passport, even to a single date, is detected', async () => {
    const passport = (await request({ url: path })).body;
    const places = placesOf(passport);
    expect(places.length).toBeGreaterThan(150);
    for (const place of places) {
      const changed = structuredClone(passport);
      spoil(changed, place);
      const { verified, parts } = verifyStatement({ verified: true, parts: [] }, changed);
      expect([verified, parts[0]?.reason], place.join('.')).toEqual([false, expect.any(String)]);
    }
  });

  /** The paths of every number and text; for a list, in its first entry. */
  function placesOf(value: unknown, place: readonly string[] = []): (readonly string[])[] {
    if (typeof value !== 'object' || value === null) return [place];
    const entries = Array.isArray(value) ? [...value.entries()].slice(0, 1) : Object.entries(value);
    return entries.flatMap(([key, part]) => placesOf(part, [...place, String(key)]));
  }

  function spoil(root: unknown, place: readonly string[]): void {
    const parent = place.slice(0, -1).reduce((at, key) => (at as Record<string, unknown>)[key], root);
    const holder = parent as Record<string, unknown>;
    const key = place.at(-1)!;
    const old = holder[key];
    holder[key] = typeof old === 'number' ? old + 1 : typeof old === 'string' ? `${old}x` : 'other';
  }

  test('an absent strategy has no passport and no data', async () => {
    for (const end of ['', 'data/']) {
      const url = `/api/strategies/00000000-0000-4000-8000-000000000000/evidence/${end}`;
      expect(await request({ url })).toMatchObject({ status: 404, body: { code: 'not_found' } });
    }
  });
});

describe('the link to its trade log', async () => {
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

  /** A draft with a result, owned by this user or by the provider. */
  async function draftOf(person: TestPerson | null): Promise<string> {
    const id = await publishedStrategy(app, { status: 'draft', trades: [trade] });
    await records.pool.query('update strategies set owner_id = $1 where id = $2', [person?.id ?? null, id]);
    return id;
  }

  const draft = await draftOf(owner);
  const mint = (id: string, { token }: TestPerson) =>
    request({
      method: 'POST',
      url: '/api/account/download-link/',
      token,
      body: { address: `/api/strategies/${id}/strategy_trades_csv` },
    });
  const INVALID = { status: 400, body: { code: 'invalid_token' } };

  test('a link downloads the log of the author’s draft once, and the file is not cached', async () => {
    const { status, body } = await mint(draft, owner);
    expect(status).toBe(201);
    expect(body.expires_at).toBe(new Date(world.now + 60_000).toISOString());
    const file = await request({ url: body.url });
    expect(file).toMatchObject({ status: 200, text: expect.stringContaining('\r\nSPY,long,2025-11-03,') });
    expect(file.headers).toMatchObject({
      'cache-control': 'private, no-store',
      'content-disposition': 'attachment; filename="draft-trades.csv"',
      'referrer-policy': 'no-referrer',
    });
    expect(await request({ url: body.url })).toMatchObject(INVALID);
  });

  test('a HEAD request does not use up the link', async () => {
    const { body } = await mint(draft, owner);
    expect((await app.app.inject({ method: 'HEAD', url: body.url })).statusCode).toBe(404);
    expect((await request({ url: body.url })).status).toBe(200);
  });

  test('a link expires after a minute', async () => {
    const { body } = await mint(draft, owner);
    world.now = instant(world.now + 60_000);
    expect(await request({ url: body.url })).toMatchObject(INVALID);
  });

  test('a link opens only its own strategy, and its secret is not in the database', async () => {
    const { body } = await mint(draft, owner);
    const token = new URL(body.url, 'http://x').searchParams.get('link')!;
    const other = await draftOf(owner);
    expect(
      await request({ url: `/api/strategies/${other}/strategy_trades_csv?link=${token}` }),
    ).toMatchObject(INVALID);
    for (const end of ['', 'trades/', 'performance/']) {
      expect((await request({ url: `/api/strategies/${draft}/${end}?link=${token}` })).status).toBe(404);
    }
    const { rows } = await records.pool.query(
      `select count(*)::int as found from download_links where encode(token_hash, 'escape') like $1`,
      [`%${token}%`],
    );
    expect(rows).toEqual([{ found: 0 }]);
    expect((await request({ url: body.url })).status).toBe(200);
  });

  test('a draft is not found without a link; a public strategy needs none', async () => {
    expect((await request({ url: `/api/strategies/${draft}/strategy_trades_csv` })).status).toBe(404);
    const open = await publishedStrategy(app, { trades: [trade] });
    expect((await request({ url: `/api/strategies/${open}/strategy_trades_csv` })).status).toBe(200);
  });

  test('only the writer opens it, staff the provider’s drafts; one without a result has no log', async () => {
    const stranger = await signedInPerson(app);
    const provided = await draftOf(null);
    const follow = async (id: string, person: TestPerson) =>
      request({ url: (await mint(id, person)).body.url });
    const absent = await follow(randomUUID(), stranger);
    expect(absent.status).toBe(404);
    for (const id of [draft, provided]) expect((await follow(id, stranger)).text).toBe(absent.text);
    await giveRole(records, stranger, 'provider');
    expect((await follow(provided, stranger)).status).toBe(200);
    const empty = await draftOf(owner);
    await records.pool.query(
      'delete from backtests b using strategy_versions v where v.id = b.strategy_version_id and v.strategy_id = $1',
      [empty],
    );
    expect(await follow(empty, owner)).toMatchObject({
      status: 404,
      body: { message: expect.stringContaining('no backtest result yet') },
    });
  });
});

test('a strategy says what is wrong with the prices that it reads, and with no others', async () => {
  const noteOf = async (id: string) => (await request({ url: `/api/strategies/${id}/` })).body.price_note;
  const { pool } = app.records;
  const INCIDENT = `insert into incidents (kind, subject, symbol, severity, whose_move, since, last_seen_at)
    values ($1, $2, nullif($2, 'trader'), 'today', 'staff', now(), now())`;
  const open = (kind: string, symbol: string) => pool.query(INCIDENT, [kind, symbol]);
  await open('price_doubted', 'NOT-READ');
  expect(await noteOf(calm)).toBeNull();
  for (const [kind, text] of [
    ['market_data_failing', 'No price of SPY arrives'],
    ['price_refused', 'The price of SPY is late, cannot be right, or its exchange has halted trading'],
    ['price_doubted', 'does not confirm the price of SPY'],
    ['tick_failing', 'prices do not arrive, or our trader fails'],
  ] as const) {
    await open(kind, kind === 'tick_failing' ? 'trader' : 'SPY');
    expect(await noteOf(calm)).toContain(text);
    await pool.query(`update incidents set ended_at = now(), ended_how = 'cleared' where kind = $1`, [kind]);
    expect(await noteOf(calm)).toBeNull();
  }
});
