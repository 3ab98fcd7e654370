// What cases need around them: people, drafts, links, deployments in each state.
import { setStatus } from '../support/deployment-commands.ts';
import { randomUUID } from 'node:crypto';
import { giveRole } from '../support/give-role.ts';
import { instant } from '../../src/units/instant.ts';
import type { TestApp } from '../support/test-app.ts';
import { newDeployment, tradedDeployment } from '../support/test-deployment.ts';
import { readyPerson, signedInPerson, type TestPerson } from '../support/test-person.ts';
import { publishedStrategy } from '../support/test-strategy.ts';
import { BOTH_ABOVE_30 } from '../support/trading-world.ts';

/** Each investor has an account of its own, so that cash claimed in one case does not lack in another. */
export async function investor(app: TestApp) {
  app.world.accountId = `DU${randomUUID().slice(0, 7)}`;
  return readyPerson(app);
}

export async function staffMember(app: TestApp): Promise<TestPerson> {
  const person = await signedInPerson(app);
  await giveRole(app.records, person, 'provider');
  return person;
}

export async function supportPerson(app: TestApp) {
  const person = await signedInPerson(app);
  await giveRole(app.records, person, 'support');
  return person;
}

/** What deploying takes, with every gate of it open. */
export async function order(app: TestApp, change: { riskScore?: number; kind?: string } = {}) {
  const person = await investor(app);
  const body = {
    strategy: await publishedStrategy(app, change),
    broker_connection: person.connectionId,
    investment_amount: 10_000,
    stop_loss_percentage: 10,
    max_allocation_per_trade: 20,
    freeze_on_drawdown: 25,
  };
  return { person, body };
}

/** An own deployment that trades and holds something. */
export async function tradingDeployment(app: TestApp) {
  const { person, deploymentId } = await tradedDeployment(app);
  return { person, sent: { token: person.token, params: { id: deploymentId } } };
}

export async function waitingDeployment(app: TestApp) {
  const { person, deploymentId } = await newDeployment(app);
  return { person, sent: { token: person.token, params: { id: deploymentId } } };
}

export async function endedDeployment(app: TestApp) {
  const { person, deploymentId } = await newDeployment(app);
  await setStatus(app.records.pool, deploymentId, 'stopped');
  return { person, sent: { token: person.token, params: { id: deploymentId } } };
}

/** A result for the drafts of one's own is a thing of rows here. */
export async function measuredDraft(app: TestApp): Promise<{ person: TestPerson; id: string }> {
  const person = await signedInPerson(app);
  const id = await publishedStrategy(app, { status: 'draft' });
  await app.records.pool.query('update strategies set owner_id = $1 where id = $2', [person.id, id]);
  return { person, id };
}

export const DRAFT = {
  name: 'Mine',
  shortDescription: 'Two shares above thirty',
  strategy_type: 'momentum',
  market: 'us',
  min_investment: '10000',
  definition: JSON.stringify(BOTH_ABOVE_30),
};

/** The instruments that DRAFT names. */
export async function listInstruments({ records }: TestApp): Promise<void> {
  await records.pool.query(
    `insert into instruments (symbol, kind, name, currency, quantity_step, price_decimals, calendar, settlement, source)
     select symbol, 'equity', symbol, 'USD', 1, 2, 'us-equity', 'cash', 'sandbox'
     from (values ('AAA'), ('BBB')) as listed (symbol) on conflict do nothing`,
  );
}

export async function notify({ records, world }: TestApp, userId: string): Promise<string> {
  const id = randomUUID();
  world.now = instant(world.now + 1);
  await records.pool.query(
    `insert into notifications (id, user_id, kind, facts, cause, created_at)
     values ($1, $2, 'paused', '{"strategyName": "Calm Trend", "atBroker": []}', $1::uuid::text, $3)`,
    [id, userId, new Date(world.now)],
  );
  return id;
}

export async function liquidationRequest(app: TestApp) {
  const { token } = await supportPerson(app);
  const { sent } = await tradingDeployment(app);
  const id = randomUUID();
  await app.records.pool.query(
    'insert into liquidation_requests (id, deployment_id, requested_at) values ($1, $2, now())',
    [id, sent.params.id],
  );
  return { token, params: { id }, deploymentId: sent.params.id };
}
