// A track record that the provider imports: shown as claimed, compared with our own record, and in none of our figures.
import { expect, test } from 'vitest';
import { claimFile } from '#tests/support/claim-file.ts';
import { giveRole } from '#tests/support/give-role.ts';
import { testApp } from '#tests/support/test-app.ts';
import { signedInPerson } from '#tests/support/test-person.ts';
import { publishedStrategy } from '#tests/support/test-strategy.ts';

const app = await testApp();
const { pool } = app.records;
async function provider() {
  const person = await signedInPerson(app);
  await giveRole(app.records, person, 'provider');
  return person;
}
const [ada, ben] = [await provider(), await provider()];
type Token = { readonly token: string };
const SOURCE = 'Statements of a brokerage account';
const send = (id: string, file: string, { token }: Token = ada, source = SOURCE) =>
  app.request({
    method: 'POST',
    url: `/api/operations/catalogue/${id}/claim/`,
    token,
    body: { source, file },
  });
const withdraw = (id: string, { token }: Token = ada) =>
  app.request({ method: 'DELETE', url: `/api/operations/catalogue/${id}/claim/`, token });
const page = async (id: string) => (await app.request({ url: `/api/strategies/${id}/` })).body;
const line = (id: string) => app.request({ url: `/api/strategies/${id}/claim/` });
/** Its result begins with its commit: every day is our forward record. */
const forward = () => publishedStrategy(app, { committedOn: '2025-11-01' });

test('a claim is shown beside our figures, on the page and in the list, and changes none of them', async () => {
  const id = await forward();
  const { claim: none, ...before } = await page(id);
  expect(none).toBeNull();
  const imported = await send(id, claimFile());
  expect(imported, imported.text).toMatchObject({ status: 200, body: { claim: { source: SOURCE } } });
  const { claim, ...after } = await page(id);
  expect(after).toEqual(before);
  expect(claim).toMatchObject({
    label: 'Claimed by the provider, not checked by us',
    version: 1,
    first_date: '2025-11-01',
    last_date: '2025-12-30',
    annual_return: null,
    max_drawdown: 0,
    earlier: 0,
    agreement: { outcome: 'too_early', days: 59 },
  });
  expect(claim.total_return).toBeCloseTo(5.9, 9);
  expect(claim.agreement.difference.mean).toBeCloseTo(0, 9);
  const list = (await app.request({ url: '/api/strategies/' })).body as { id: string; claim: unknown }[];
  expect(list.find((one) => one.id === id)!.claim).toEqual(claim);
  const { body: shown } = await line(id);
  expect([shown.labels.length, shown.data[0], shown.own[0]]).toEqual([60, 100, 100]);
});

test('a claim that our record contradicts is said so first, and who imported, replaced and withdrew it is in the audit log', async () => {
  const id = await forward();
  await send(id, claimFile({ perDay: 300 }));
  const { claim } = await page(id);
  // The comparison needs 60 days, and there are 59.
  expect(claim.agreement).toMatchObject({ outcome: 'too_early', days: 59 });
  await pool.query(
    `update backtests set series = jsonb_set(jsonb_set(series::jsonb, '{labels}', series::jsonb -> 'labels' || '["2025-12-31"]'),
       '{data}', series::jsonb -> 'data' || '[106000]')
     where strategy_version_id in (select id from strategy_versions where strategy_id = $1)`,
    [id],
  );
  const again = await publishedAgain(id);
  await send(again, claimFile({ days: 61, perDay: 300 }), ben);
  await send(again, claimFile({ days: 61, perDay: 400 }), ada);
  const found = (await page(again)).claim;
  expect(found).toMatchObject({ earlier: 1, agreement: { outcome: 'contradicted', days: 60 } });
  expect(found.agreement.sentence).toMatch(
    /^Our own record contradicts this claim\. Over the same 60 days it says \+24\.0%, and we measured \+6\.0%\./,
  );
  expect((await withdraw(again, ben)).body.claim).toBeNull();
  expect(await withdraw(again, ben)).toMatchObject({ status: 409, body: { code: 'already_decided' } });
  expect((await page(again)).claim).toBeNull();
  expect((await line(again)).status).toBe(404);
  const { rows } = await pool.query(
    `select action, actor, details::jsonb -> 'to' ->> 'ended_as' as as from audit_log
     where subject in (select 'claimed_record:' || id from claimed_records where strategy_id = $1) order by seq`,
    [again],
  );
  expect(rows.map(({ actor, as }) => [actor, as])).toEqual([
    [`staff:${ben.email}`, null],
    [`staff:${ada.email}`, 'replaced'],
    [`staff:${ada.email}`, null],
    [`staff:${ben.email}`, 'withdrawn'],
  ]);
});

test('a claim about an earlier version is not compared with the record of other rules', async () => {
  const id = await forward();
  await send(id, claimFile());
  await pool.query(
    `with version as (
       insert into strategy_versions (id, strategy_id, number, definition, definition_hash, committed_at)
       select gen_random_uuid(), strategy_id, 2, definition, 'h2', committed_at from strategy_versions where strategy_id = $1 returning id)
     insert into backtests select gen_random_uuid(), (select id from version), b.input_hash || 'x', b.result_hash, b.first_date, b.last_date,
       b.figures, b.series, b.trades, b.created_at, b.data_as_of, b.bars_read, b.scores, b.engine_hash, b.data_hash, b.costs_hash, b.costs,
       b.samples, b.evidence, b.position_sizes, b.capacity from backtests b join strategy_versions v on v.id = b.strategy_version_id
     where v.strategy_id = $1`,
    [id],
  );
  const { claim } = await page(id);
  expect(claim.agreement).toMatchObject({
    outcome: 'other_rules',
    days: 0,
    own_return: null,
    difference: null,
  });
  expect(claim.agreement.sentence).toBe(
    'This claim is about version 1. Version 2 has other rules, so our record of it cannot confirm the claim.',
  );
  expect((await line(id)).body.own.every((one: unknown) => one === null)).toBe(true);
});

test('a bad file is refused with its line and changes nothing; nobody but the provider imports', async () => {
  const id = await forward();
  await send(id, claimFile());
  const bad = await send(id, claimFile().replace('2025-11-03,', '2025-11-33,'));
  expect(bad).toMatchObject({ status: 400, body: { code: 'invalid_field', field: 'file' } });
  expect(bad.body.message).toBe('Line 4: “2025-11-33” is not a day. Write it as 2026-01-31.');
  expect((await page(id)).claim).toMatchObject({ earlier: 0 });
  expect(await send(id, claimFile(), ada, '  ')).toMatchObject({ status: 400, body: { field: 'source' } });
  const client = await signedInPerson(app);
  expect((await send(id, claimFile(), client)).status).toBe(404);
  expect((await withdraw(id, client)).status).toBe(404);
  const retired = await publishedStrategy(app, { status: 'retired' });
  expect(await send(retired, claimFile())).toMatchObject({ status: 409, body: { code: 'illegal_move' } });
});

test('the database changes no claim, and ends one once', async () => {
  await expect(pool.query(`update claimed_records set source = 'other'`)).rejects.toThrow(
    'never changed otherwise',
  );
  await expect(pool.query('delete from claimed_records')).rejects.toThrow('never changed otherwise');
});

/** The series of a result is kept by the server; another strategy with the same longer series. */
async function publishedAgain(id: string): Promise<string> {
  const other = await forward();
  await pool.query(
    `update backtests set series = (select b.series from backtests b join strategy_versions v on v.id = b.strategy_version_id
       where v.strategy_id = $1) where strategy_version_id in (select id from strategy_versions where strategy_id = $2)`,
    [id, other],
  );
  return other;
}
