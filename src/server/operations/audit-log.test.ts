import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { AUDIT_KIND_NAMES } from '#rules/operations/audit-kind.ts';
import { giveRole } from '#tests/support/give-role.ts';
import { testApp } from '#tests/support/test-app.ts';
import { connectBroker, signedInPerson, type TestPerson } from '#tests/support/test-person.ts';

const app = await testApp();
const { records, request } = app;
const { pool } = records;
let auditor: TestPerson;
let client: TestPerson;
let connection: string;

type Row = {
  readonly seq: number;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly holds: boolean;
};
const read = async (query: Record<string, string> = {}) =>
  (await request({ url: `/api/operations/audit-log/?${new URLSearchParams(query)}`, token: auditor.token }))
    .body;
const rowsOf = async (query: Record<string, string>): Promise<readonly Row[]> => (await read(query)).results;

beforeAll(async () => {
  auditor = await signedInPerson(app);
  await giveRole(records, auditor, 'auditor');
  client = await signedInPerson(app);
  connection = await connectBroker(app, client);
  await connectBroker(app, await signedInPerson(app));
});

describe('the audit log is read', () => {
  test('by person, with their address or id, and nobody else’s rows with it', async () => {
    await request({ method: 'PATCH', url: '/api/auth/me/', token: client.token, body: { country: 'CH' } });
    const byAddress = await rowsOf({ person: client.email });
    expect(byAddress.map(({ action }) => action)).toContain('person.changed');
    expect(byAddress.map(({ subject }) => subject)).toContain(`connection:${connection}`);
    expect(await rowsOf({ person: client.id })).toEqual(byAddress);
    for (const { actor, subject } of byAddress)
      expect([`client:${client.id}`, `connection:${connection}`, `person:${client.id}`]).toContain(
        actor === `client:${client.id}` ? actor : subject,
      );
    expect(await rowsOf({ person: 'nobody@example.test' })).toEqual([]);
  });

  test('by account, as its owner knows the number, and with its vendor', async () => {
    await pool.query('update broker_connections set account_id = $2 where id = $1', [
      connection,
      'alpaca:PA-77',
    ]);
    for (const account of ['PA-77', 'alpaca:PA-77'])
      expect((await rowsOf({ account })).map(({ subject }) => subject)).toContain(`connection:${connection}`);
    expect(await rowsOf({ account: 'PA-7' })).toEqual([]);
  });

  test('by order, from the lists of statements', async () => {
    const clientOrderId = `order-${randomUUID()}`;
    await writeAudit('orders.written', 'orders', { orders: 1, ids: [clientOrderId] });
    await writeAudit('orders.moved', 'orders', {
      orders: 1,
      moves: [{ id: clientOrderId, from: 'new', to: 'sending' }],
    });
    await writeAudit('orders.written', 'orders', { orders: 1, ids: [`${clientOrderId}-2`] });
    expect((await rowsOf({ order: clientOrderId })).map(({ action }) => action)).toEqual([
      'orders.moved',
      'orders.written',
    ]);
  });

  test('by kind and by day, each narrowing the other', async () => {
    const kinds = new Set((await rowsOf({ kind: 'connection' })).map(({ action }) => action.split('.')[0]));
    expect([...kinds]).toEqual(['connection']);
    const today = new Date().toISOString().slice(0, 10);
    expect((await rowsOf({ kind: 'connection', from: today, to: today })).length).toBeGreaterThan(0);
    expect(await rowsOf({ kind: 'connection', to: '2020-01-01' })).toEqual([]);
    const wrong = await read({ from: '2026-13-40' });
    expect(wrong).toMatchObject({ code: 'invalid_field', field: 'from' });
    expect(await read({ before: '0' })).toMatchObject({ field: 'before' });
  });

  test('page by page, each row once', async () => {
    for (let i = 0; i < 60; i++) await writeAudit('setting.changed', `setting:page ${i}`, { i });
    const first = await read({ kind: 'setting' });
    const second = await read({ kind: 'setting', before: String(first.next) });
    expect([first.results.length, second.results.length]).toEqual([50, 10]);
    expect(second.next).toBeNull();
    const seqs = [...first.results, ...second.results].map(({ seq }: Row) => seq);
    expect(new Set(seqs).size).toBe(60);
    expect(seqs).toEqual(seqs.toSorted((left, right) => right - left));
  });

  test('with the state of the chain, and a row that was changed shows', async () => {
    const { chain, results } = await read();
    expect(chain).toEqual({
      rows: results[0].seq,
      head: results[0].hash,
      anchor: null,
      unanchored: results[0].seq,
    });
    expect(results.every(({ holds }: Row) => holds)).toBe(true);
    await app.records.owner.query(
      `begin; set local session_replication_role = replica; update audit_log set actor = 'nobody' where seq = ${results[1].seq}; commit`,
    );
    expect((await read()).results.map(({ holds }: Row) => holds).slice(0, 3)).toEqual([true, false, true]);
  });
});

test('every kind that the database writes can be chosen', async () => {
  const { rows } = await pool.query<{ kind: string }>(
    `select distinct split_part(encode(tgargs, 'escape'), '\\000', 1) as kind from pg_trigger t
     join pg_proc p on p.oid = t.tgfoid where p.proname = 'audit_row' order by 1`,
  );
  const written = [...rows.map(({ kind }) => kind), 'orders'].toSorted();
  expect([...AUDIT_KIND_NAMES].toSorted()).toEqual(written);
});

async function writeAudit(action: string, subject: string, details: object): Promise<void> {
  await app.records.owner.query(`select write_audit('trader', $1, $2, $3)`, [
    action,
    subject,
    JSON.stringify(details),
  ]);
}
