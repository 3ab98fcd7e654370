import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import type { DecisionInputs, DecisionReceipt, TimelineEntry } from '#contract/decisions.ts';
import { unpackBars } from '#contract/strategies/packed-bars.ts';
import type { DecisionRecord } from '#engine/decision/decision-record.ts';
import {
  type Difference,
  type RecordedDecision,
  type RecordedTarget,
  replayWhole,
} from '#engine/decision/replay-decision.ts';
import { barsAsRead } from '#engine/evidence/verify-passport.ts';
import { NO_SCORES } from '#engine/model/score-columns.ts';
import { parseDefinition } from '#engine/strategy/parsing/parse-definition.ts';
import { insertReceipts } from '#records/deployments/receipts.ts';
import { testApp } from '#tests/support/test-app.ts';
import { newDeployment } from '#tests/support/test-deployment.ts';
import { signedInPerson } from '#tests/support/test-person.ts';
import { BOTH_ABOVE_30, tradingWorld } from '#tests/support/trading-world.ts';
import type { DeploymentId, Symbol, TargetId } from '#units/identifiers.ts';
import { type Instant, instant, parseInstant } from '#units/instant.ts';

const app = await testApp();
const { request, records } = app;
const world = await tradingWorld(records);
afterAll(() => world.trader.close());

const read = async (id: string, token: string, rest = '') =>
  request({ url: `/api/deployments/${id}/decisions/${rest}`, token });

/** Decided by the trader at a close, filled the next morning; given to a person of the API. */
async function decided(investment: number) {
  const { market, trader } = world;
  const id = await world.deploy(await world.addStrategy(BOTH_ABOVE_30), { investment });
  market.closeDay();
  await trader.tick();
  const decidedAt = new Date(market.now()).toISOString();
  market.openDay();
  await trader.tick();
  const owner = await signedInPerson(app);
  await records.pool.query('update deployments set user_id = $2 where id = $1', [id, owner.id]);
  return { id, token: owner.token, decidedAt };
}

/** What a browser does with what the service answers. */
function replayOf(inputs: DecisionInputs, bytes: Uint8Array): Difference[] {
  const parsed = parseDefinition(inputs.definition);
  if (!parsed.ok) throw new Error('the definition does not parse');
  const { series } = barsAsRead(unpackBars(bytes));
  const recorded = { ...inputs.target, asOf: instant(inputs.as_of) };
  const decision = {
    ...inputs,
    deploymentId: inputs.deployment as DeploymentId,
    record: inputs.record as unknown as DecisionRecord,
  };
  return replayWhole(
    recorded as unknown as RecordedTarget & { asOf: Instant },
    decision as unknown as RecordedDecision,
    { definition: parsed.definition, series, scores: NO_SCORES },
  );
}

async function inputsOf(id: string, token: string, decision: string) {
  const { body } = await read(id, token, `${decision}/inputs/`);
  const bars = await app.app.inject({
    url: `/api/deployments/${id}/decisions/${decision}/bars/`,
    headers: { authorization: `Bearer ${token}` },
  });
  return { inputs: body as DecisionInputs, bytes: new Uint8Array(bars.rawPayload) };
}

test('a decision shows what was bought and why, and what was not; its receipt has sizes, checks and the order', async () => {
  const { id, token, decidedAt } = await decided(200);
  const { body } = await read(id, token);
  const [entry] = (body.entries as TimelineEntry[]).filter(({ kind }) => kind === 'decision');
  expect(entry).toMatchObject({
    at: decidedAt,
    title: 'Buy 1',
    orders: [{ ticker: 'BBB', status: 'executed' }],
    refused: [{ ticker: 'AAA', code: 'below_one_step' }],
  });
  expect(entry!.orders[0]!.trade_notes).toMatch(
    /^Buys: the close \([\d.]+\) is above 30, on \d+ January 2026\.$/,
  );

  const { body: receipt } = await read(id, token, `${entry!.decision}/`);
  const [aaa, bbb] = (receipt as DecisionReceipt).instruments;
  expect(aaa).toMatchObject({ ticker: 'AAA', asked_percent: 40, held: 0, desired: 0, order: null });
  expect(aaa!.checks.find(({ check }) => check === 'size')).toMatchObject({
    result: 'failed',
    reason: 'Its share of the equity is below the smallest order, 1.',
  });
  expect(aaa!.checks.find(({ check }) => check === 'cash')).toMatchObject({ result: 'not_reached' });
  expect(bbb).toMatchObject({ ticker: 'BBB', before_percent: 40, asked_percent: 40, order: { side: 'buy' } });
  expect(bbb!.checks.every(({ result }) => result === 'passed')).toBe(true);
});

test('made again from what the service answers it is the same decision; a changed price or size is noticed', async () => {
  const { id, token } = await decided(10_000);
  const { body } = await read(id, token);
  const { decision } = (body.entries as TimelineEntry[]).find(({ kind }) => kind === 'decision')!;
  const { inputs, bytes } = await inputsOf(id, token, decision!);
  expect(replayOf(inputs, bytes)).toEqual([]);

  const richer = { ...inputs, record: { ...inputs.record, cash: 30_000e6 } };
  expect(replayOf(richer, bytes).map(({ part }) => part)).toContain('orders');
  const other = { ...inputs, target: { ...inputs.target, hash: 'another' } };
  expect(replayOf(other, bytes)).toEqual([{ part: 'target', symbol: null }]);
  const earlier = { ...inputs, as_of: inputs.as_of - 1 };
  expect(replayOf(earlier, bytes).map(({ part }) => part)).toContain('reasons');
});

test('nobody else reads it, in any form', async () => {
  const { id, token } = await decided(10_000);
  const { body } = await read(id, token);
  const { decision } = (body.entries as TimelineEntry[]).find(({ kind }) => kind === 'decision')!;
  const { token: other } = await signedInPerson(app);
  for (const rest of ['', `${decision}/`, `${decision}/inputs/`, `${decision}/bars/`])
    expect((await read(id, other, rest)).status, rest).toBe(404);
  const own = await newDeployment(app);
  expect((await read(own.deploymentId, own.person.token, `${decision}/`)).status).toBe(404);
  for (const odd of ['0', '-1', 'x', '9'.repeat(30)])
    expect((await read(id, token, `${odd}/`)).status, odd).toBe(404);
});

async function withReceipts(decisions: readonly [string, string, string?][]) {
  const { person, deploymentId } = await newDeployment(app);
  await records.database.transaction().execute((trx) =>
    insertReceipts(
      trx,
      decisions.map(([at, cause, symbol]) => ({
        deploymentId: deploymentId as DeploymentId,
        targetId: cause === 'target' ? (randomUUID() as TargetId) : null,
        at: parseInstant(at),
        cause,
        refusals: symbol === undefined ? [] : [{ symbol: symbol as Symbol, code: 'no_cash' as const }],
        decision: null,
      })),
    ),
  );
  return { id: deploymentId, token: person.token };
}

test('it comes a page at a time, newest first, none twice and none left out', async () => {
  const days = Array.from({ length: 7 }, (_, day): [string, string] => [
    `2030-01-0${day + 1}T21:00:00Z`,
    'target',
  ]);
  const { id, token } = await withReceipts([...days, days[3]!]);
  const seen: string[] = [];
  for (let next: string | null = ''; next !== null; ) {
    const { body }: { body: { entries: TimelineEntry[]; next: string | null } } = await read(
      id,
      token,
      `?limit=3${next === '' ? '' : `&before=${encodeURIComponent(next)}`}`,
    );
    seen.push(...body.entries.filter(({ kind }) => kind === 'decision').map(({ at }) => at.slice(8, 10)));
    next = body.next;
  }
  expect(seen).toEqual(['07', '06', '05', '04', '04', '03', '02', '01']);
  expect((await read(id, token, '?before=yesterday')).status).toBe(400);
  expect((await read(id, token, '?before=2030-99-99T00:00:00Z~d1')).status).toBe(400);
});

test('what follows from a decision is told with it, the last reason for each', async () => {
  const { id, token } = await withReceipts([
    ['2030-01-02T21:00:00Z', 'target', 'AAA'],
    ['2030-01-03T14:30:00Z', 'fill:x', 'BBB'],
    ['2030-01-03T14:31:00Z', 'fill:y', 'AAA'],
    ['2030-01-03T21:00:00Z', 'target', 'CCC'],
  ]);
  const { body } = await read(id, token);
  const told = (body.entries as TimelineEntry[])
    .filter(({ kind }) => kind === 'decision')
    .map(({ refused }) => refused.map(({ ticker }) => ticker));
  expect(told).toEqual([['CCC'], ['AAA', 'BBB']]);
});

test('a decision from before receipts were kept has none', async () => {
  const { id, token } = await withReceipts([['2030-01-02T21:00:00Z', 'target']]);
  const { body } = await read(id, token);
  expect((body.entries as TimelineEntry[])[0]).toMatchObject({
    decision: null,
    title: 'Nothing to trade',
    text: 'Everything was held as the strategy wants it.',
  });
});
