// The operators' drill of what fails in the product itself: a deployment, a job, the books, the audit log. SQL plants a cause;
// it never ends one: that passes by itself, or is mended at the desk.
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { tradingDays } from '#tests/support/trading-days.ts';
import type { AlarmReceiver } from '#ports/alarm-receiver.ts';
import { anchorIncidents } from '#processes/anchors/anchor-incidents.ts';
import { keepAnchors } from '#processes/anchors/keep-anchors.ts';
import { sendAnchors } from '#processes/anchors/send-anchors.ts';
import { openAnchorKey, withFormer } from '#processes/environment/anchor-key.ts';
import { dueWorkHandler } from '#processes/due-work.ts';
import { sendJobs } from '#records/jobs/send-jobs.ts';
import { APPROVE } from '#tests/support/adjustments-desk.ts';
import { addDeadLetter } from '#tests/support/dead-letter.ts';
import { requestStatus } from '#tests/support/deployment-commands.ts';
import { runJobs } from '#tests/support/run-jobs.ts';
import { saveDispute } from '#records/payments/disputes.ts';
import { addDays, instant, utcDate } from '#units/instant.ts';
import { toMicro } from '#units/money.ts';
import { drillDesk, OWN_DRILL } from './drill-desk.ts';
import { agree } from '#tests/support/two-people.ts';

const drill = await drillDesk();
const { app, world, market, runTicks, trading, desk, incident, incidents, review, isOver, drilled, rows } = {
  ...drill,
  ...drill.world,
};
const { database } = app.records;
afterAll(() => world.trader.close());

afterEach(async () => {
  world.wait(20 * 60_000);
  await runTicks(3);
  await review();
  await review();
});

let poisons = 0;
/** Its valuation fails for a week of sessions, as it does on prices of a week that cannot be used. */
async function failWeekOf(id: string) {
  const from = utcDate(market.now());
  const last = tradingDays('us-equity', { from, to: addDays(from, 20) })[6]!;
  const name = `poison_${(poisons += 1)}`;
  await app.records.owner.query(`create function ${name}() returns trigger language plpgsql as $$
    begin if new.deployment_id = '${id}' and new.date between '${from}' and '${last}' then raise exception 'poison'; end if;
    return new; end $$`);
  await app.records.owner.query(
    `create trigger ${name} before insert on equity_marks for each row execute function ${name}()`,
  );
}

async function daysPass(days: number) {
  for (let day = 0; day < days; day++) {
    market.setPrice('AAA', 101 + day);
    market.closeDay();
    await runTicks(1);
    market.openDay();
    await runTicks(1);
  }
}

test('a deployment that fails is set aside, and released by two people once its cause is over', async () => {
  const { id, account } = await trading('DR13');
  await failWeekOf(id);
  await daysPass(3);
  expect(await incident('deployment_failing')).toMatchObject({ subject: id, quote: 'poison' });
  await daysPass(4);
  expect(await incident('deployment_quarantined')).toMatchObject({ subject: id, whose_move: 'staff' });
  const listed = async () => (await desk()).quarantined.results;
  const [set] = await listed();
  expect(set).toMatchObject({ account, subject: id, released_as: 'paused', proposal: null });
  const url = '/api/operations/proposals/';
  const body = {
    action: 'release',
    account,
    subject: id,
    seen: set!.seen,
    reason: 'the prices of that week are over',
  };
  const proposed = await app.request({ method: 'POST', url, token: drill.sue.token, body });
  expect(proposed.status, proposed.text).toBe(201);
  const decide = (token: string) =>
    app.request({ method: 'POST', url: `${url}${proposed.body.id}/decide/`, token, body: APPROVE });
  expect((await decide(drill.sue.token)).status).toBe(403);
  await runTicks(1);
  expect(await listed()).toHaveLength(1);
  expect((await decide(drill.bob.token)).status).toBe(200);
  await runTicks(1);
  const status = async () => (await rows(`select status from deployments where id = $1`, id))[0].status;
  expect(await status()).toBe('paused');
  expect(await listed()).toEqual([]);
  await isOver('deployment_quarantined');
  await drill.lookAgain('deployment_failing');
  await isOver('deployment_failing');
  // Its owner resumes it, and it is valued again; a trader that starts anew changes nothing.
  await requestStatus(app.records.pool, id, 'active');
  await runTicks(2);
  expect(await status()).toBe('active');
  await world.restart();
  await daysPass(2);
  expect(await status()).toBe('active');
  // A second series of failures is another quarantine, which the agreement of before does not end.
  await failWeekOf(id);
  await daysPass(7);
  expect(await status()).toBe('failed');
  expect((await listed())[0]!.seen).not.toBe(set!.seen);
  const [again] = await listed();
  const second = await app.request({
    method: 'POST',
    url,
    token: drill.sue.token,
    body: { ...body, seen: again!.seen },
  });
  const last = { method: 'POST', url: `${url}${second.body.id}/decide/`, token: drill.bob.token } as const;
  expect((await app.request({ ...last, body: APPROVE })).status).toBe(200);
  await runTicks(1);
  expect(await status()).toBe('paused');
});

test('a quarantined deployment wakes an operator, who approves its liquidation', async () => {
  const { id, account } = await trading('DR7');
  await failWeekOf(id);
  await daysPass(7);
  expect(await incident('deployment_quarantined')).toMatchObject({
    subject: id,
    severity: 'act_now',
    account,
    deployments: 1,
  });
  expect((await review()).mailed).toEqual([`act now: Deployment quarantined (${account})`]);
  await rows(
    `insert into liquidation_requests (id, deployment_id, requested_at) values (gen_random_uuid(), $1, now())`,
    id,
  );
  const [request] = (await desk()).liquidations.results;
  const approved = await agree(app, [drill.sue, drill.bob], { action: 'liquidate', subject: request!.id });
  expect(approved.status, approved.text).toBe(200);
  await runTicks(3);
  await isOver('deployment_quarantined');
  expect((await review()).posted).toContain('incident.ended deployment_quarantined');
});

test('a job that failed for good is at the desk, and gone once it is discarded there', async () => {
  const id = await addDeadLetter(database, 'mails', {
    data: { mailId: '00000000-0000-4000-8000-000000000001' },
    key: 'drill',
    output: { code: 'mail_refused', detail: 'no such mailbox' },
  });
  await review();
  expect(await incident('job_dead')).toMatchObject({ subject: id, severity: 'today', whose_move: 'staff' });
  const discarded = await app.request({
    method: 'POST',
    url: `/api/operations/dead-letters/${id}/decide/`,
    token: drill.sue.token,
    body: { decision: 'discard' },
  });
  expect(discarded.status, discarded.text).toBe(200);
  await isOver('job_dead');
});

test('books that contradict themselves wake an operator, who halts the deployment and has them rebuilt by two people', async () => {
  const { id, account } = await trading('DR10');
  const check = () =>
    runJobs(database, {
      queue: 'due-work',
      handler: dueWorkHandler(app.dependencies),
    });
  await sendJobs(database, 'due-work', [{ data: { work: 'invariants' } }]);
  await check();
  expect(await incidents('invariant_broken')).toEqual([]);
  await rows(`update deployments set cash_micro = cash_micro + 1000000 where id = $1`, id);
  await rows(`update positions set quantity = quantity + 1 where symbol = 'AAA' and deployment_id = $1`, id);
  await sendJobs(database, 'due-work', [{ data: { work: 'invariants' } }]);
  await check();
  const [broken] = await incidents('invariant_broken');
  expect(broken).toMatchObject({ severity: 'act_now', whose_move: 'staff', can_look_again: true });
  expect(await incident('books_differ')).toMatchObject({ subject: id, severity: 'act_now', account });
  const { posted } = await review();
  expect(posted).toContain('incident.opened invariant_broken');
  expect(posted).toContain('incident.opened books_differ');
  // The runbook: this deployment trades on wrong figures no more, and its owner's others go on.
  const halted = await app.request({
    method: 'POST',
    url: '/api/operations/kill-switches/',
    token: drill.sue.token,
    body: { scope: 'deployment', target: id, cancels_orders: false, reason: 'its books are being mended' },
  });
  expect(halted.body, halted.text).toMatchObject({
    name: expect.stringMatching(/ in DR10$/),
    deployments: 1,
  });
  // A check that still finds it ends nothing.
  for (const { id: incidentId } of await incidents('invariant_broken')) {
    const url = `/api/operations/incidents/${incidentId}/look-again/`;
    const body = { note: 'is it still so?' };
    expect((await app.request({ method: 'POST', url, token: drill.sue.token, body })).status).toBe(204);
  }
  await check();
  expect((await incidents('invariant_broken')).length).toBeGreaterThan(0);
  // Two people have the figures rebuilt from what was executed.
  const listed = async () => (await desk()).differing_books.results;
  const [books] = await listed();
  expect(books).toMatchObject({ account, subject: id, proposal: null });
  expect(books!.differences.map(({ figure, symbol }) => [figure, symbol])).toEqual([
    ['cash', null],
    ['quantity', 'AAA'],
  ]);
  expect(books!.differences[0]!.stored! - books!.differences[0]!.replayed!).toBeCloseTo(1, 9);
  const url = '/api/operations/proposals/';
  const propose = (seen: string) =>
    app.request({
      method: 'POST',
      url,
      token: drill.sue.token,
      body: { action: 'rebuild_books', account, subject: id, seen, reason: 'engineering found the writer' },
    });
  expect((await propose('what was there before')).status).toBe(409);
  const proposed = await propose(books!.seen);
  expect(proposed.status, proposed.text).toBe(201);
  const decide = (token: string) =>
    app.request({ method: 'POST', url: `${url}${proposed.body.id}/decide/`, token, body: APPROVE });
  expect((await decide(drill.sue.token)).status).toBe(403);
  await runTicks(1);
  expect(await listed()).toHaveLength(1);
  expect((await decide(drill.bob.token)).status).toBe(200);
  await runTicks(1);
  expect(await listed()).toEqual([]);
  await isOver('books_differ');
  expect(
    await rows(`select kind from notifications where deployment_id = $1 and kind = 'figures_rebuilt'`, id),
    'its owner is notified once',
  ).toHaveLength(1);
  // The check that follows finds the rest of it whole too.
  await check();
  await isOver('invariant_broken');
  expect((await review()).posted).toContain('incident.ended invariant_broken');
  const lifted = await agree(app, [drill.sue, drill.bob], { action: 'lift_halt', subject: halted.body.id });
  expect(lifted.status, lifted.text).toBe(200);
});

/** The anchors of one trader, started and stopped. */
async function anchored(folder: string, collector: AlarmReceiver | null = null) {
  const outcome = anchorIncidents({ database, logger: SILENT, realNow: world.realNow });
  const file = path.join(folder, 'keys', 'anchor-key.pem');
  const keys = async () => withFormer(openAnchorKey(file), file);
  const send = () => sendAnchors({ database, keys, collector, mail: null, outcome: outcome.sending });
  await keepAnchors({ database, dataDir: folder, keys, send, outcome: outcome.anchoring }).stop();
  await send();
}

const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined };

test('an audit log that cannot be anchored is shown until it can, one that was rewritten until it is put right, and a collector that is away until it is back', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'bellwether-drill-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const blocked = path.join(folder, 'audit-anchors');
  writeFileSync(blocked, 'in the way');
  await anchored(folder);
  expect(await incident('audit_unanchored')).toMatchObject({ severity: 'today', whose_move: 'staff' });
  rmSync(blocked);
  await anchored(folder, { send: async () => ({ outcome: 'failed', reason: 'status 503' }) });
  await isOver('audit_unanchored');
  expect(await incident('audit_unsent')).toMatchObject({ severity: 'today', whose_move: 'staff' });
  await anchored(folder, { send: async () => ({ outcome: 'taken' }) });
  await isOver('audit_unsent');

  const aside = `${blocked}-aside`;
  const forgedNumber =
    'update audit_anchors set line = replace(line, \'"seq":\', \'"seq":9\') where number = 1';
  const { rows: kept } = await app.records.pool.query('select line from audit_anchors where number = 1');
  await app.records.pool.query(forgedNumber);
  renameSync(blocked, aside);
  await anchored(folder);
  expect(await incident('audit_rewritten')).toMatchObject({ severity: 'act_now', whose_move: 'staff' });
  expect((await review()).posted).toContain('incident.opened audit_rewritten');
  await app.records.pool.query('update audit_anchors set line = $1 where number = 1', [kept[0].line]);
  await anchored(folder);
  await isOver('audit_rewritten');
});

test('a payment that a client disputes is shown until the bank has decided, whatever older notices say', async () => {
  const dispute = {
    id: 'dp_1',
    vendor: 'stripe',
    chargeId: null,
    amount: toMicro(79),
    because: 'fraudulent',
    status: 'open',
    respondBy: instant(Date.parse('2026-12-03T12:00:00Z')),
  } as const;
  const at = instant(Date.parse('2026-11-25T12:00:00Z'));
  await saveDispute(database, dispute, at);
  await review();
  expect(await incident('payment_disputed')).toMatchObject({ severity: 'today', whose_move: 'staff' });
  const opened = await incident('payment_disputed');
  expect(opened?.next_step).toContain('by 2026-12-03, 12:00 UTC');
  await saveDispute(database, { ...dispute, status: 'lost' }, instant(Date.now()));
  await saveDispute(database, dispute, at);
  await review();
  await isOver('payment_disputed');
  expect(await incident('payment_taken_back')).toMatchObject({ severity: 'today', whose_move: 'owner' });
  await app.records.pool.query(`update disputes set ended_at = now() - interval '15 days'`);
  await review();
  await isOver('payment_taken_back');
});

test('a request to liquidate that support did not decide in time wakes an operator until it is decided', async () => {
  const { id } = await trading('DR19');
  const request = (passed: string) =>
    app.records.pool.query(
      `insert into liquidation_requests (id, deployment_id, requested_at, decide_by)
       values (gen_random_uuid(), $1, now(), clock_timestamp() - $2::interval) returning id`,
      [id, passed],
    );
  const early = await request('-1 hour');
  await review();
  expect(await incidents('liquidation_overdue')).toEqual([]);
  await app.records.pool.query('delete from liquidation_requests where id = $1', [early.rows[0].id]);
  const late = await request('1 minute');
  const told = await review();
  expect(told.posted).toContain('incident.opened liquidation_overdue');
  expect(await incident('liquidation_overdue')).toMatchObject({
    subject: id,
    severity: 'act_now',
    whose_move: 'staff',
  });
  await app.records.pool.query(
    `update liquidation_requests set status = 'withdrawn', decided_at = now() where id = $1`,
    [late.rows[0].id],
  );
  await review();
  await isOver('liquidation_overdue');
});

test('every kind of its list is drilled', () => {
  expect([...drilled].toSorted()).toEqual(OWN_DRILL.toSorted());
});
