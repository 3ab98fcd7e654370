// The count at the end of a campaign, from the product's own checkInvariants and from both sides' lists.
import type { BrokerCredentials } from '#ports/broker.ts';
import { requestStatusOfAll } from '../support/deployment-commands.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { PAUSE_MS, checkInvariants } from '#trader/invariants/check-invariants.ts';
import type { BrokerAccountId } from '../../src/units/identifiers.ts';
import type { Instant } from '../../src/units/instant.ts';
import type { Stage } from './stage.ts';

export type Findings = {
  readonly orders: number;
  readonly fills: number;
  /** Orders that are at the broker more than once. */
  readonly doubled: readonly string[];
  /** Executions of our orders that are not in our books. */
  readonly lost: readonly string[];
  /** Orders at the broker without an intent in our books; our orders whose fate stays open. */
  readonly orphaned: readonly string[];
  /** Claims of checkInvariants that do not hold. */
  readonly unbalanced: readonly string[];
};

/** What the count reads. */
export type Counted = Pick<Stage, 'records' | 'auditor'> & {
  /** Of every connection. */
  readonly vendor: string;
};

export async function findings(stage: Counted): Promise<Findings> {
  await waitUntilIdle(stage);
  const { pool, database } = stage.records;
  const read = async <Row extends object>(query: string) => (await pool.query<Row>(query)).rows;
  const orders = await read<{ id: string }>('select client_order_id as id from orders');
  const fills = await read<{ id: string }>('select execution_id as id from fills');
  const connections = await read<{ id: string; account: string }>(
    'select id, account_id as account from broker_connections',
  );
  const [ours, booked] = [new Set(orders.map(({ id }) => id)), new Set(fills.map(({ id }) => id))];
  const [doubled, lost, orphaned]: [string[], string[], string[]] = [[], [], []];
  for (const { id, account } of connections) {
    const side = await brokerSide(stage, id, account);
    const listed = new Set<string>();
    for (const clientId of side.orders) {
      if (listed.has(clientId)) doubled.push(clientId);
      if (!ours.has(clientId)) orphaned.push(clientId);
      listed.add(clientId);
    }
    for (const { executionId, clientOrderId } of side.executions)
      if (clientOrderId !== null && ours.has(clientOrderId) && !booked.has(executionId))
        lost.push(executionId);
  }
  const open = await read<{ id: string; status: string }>(
    `select client_order_id as id, status from orders where status in ('sending')`,
  );
  orphaned.push(...open.map(({ id, status }) => `${id} is ${status}`));
  const broker = {
    brokers: [{ ...stage.auditor.broker, vendor: stage.vendor }],
    openCredentials: ({ id }: { readonly id: string }) =>
      stage.auditor.credentialsOf(id) as BrokerCredentials<never>,
    pause: () => sleep(PAUSE_MS),
  };
  const verdicts = await checkInvariants(database, broker);
  const unbalanced = verdicts.flatMap(({ says, violations, notChecked }) => [
    ...violations.map((violation) => `${says}: ${JSON.stringify(violation)}`),
    ...(notChecked === null ? [] : [`${says}: not checked: ${notChecked}`]),
  ]);
  return { orders: orders.length, fills: fills.length, doubled, lost, orphaned, unbalanced };
}

/** Until nothing is in flight except orders that are working or in quarantine. */
async function waitUntilIdle({ records }: Counted): Promise<void> {
  await sleep(SETTLE_MS);
  await requestStatusOfAll(records.pool, ['active', 'frozen'], 'paused');
  for (let i = 0; i < SETTLE_LOOKS; i++) {
    await sleep(1_000);
    const { rows } = await records.pool.query(
      `select 1 from orders where status in ('intended', 'sending', 'working') limit 1`,
    );
    if (rows.length === 0) return;
  }
}

async function brokerSide({ auditor }: Counted, connection: string, account: string) {
  const opened = await auditor.broker.openSession(auditor.credentialsOf(connection));
  if (opened.outcome === 'failed') throw new Error(opened.reason);
  const orders = await opened.value.orders(account as BrokerAccountId);
  if (orders.outcome === 'failed') throw new Error(orders.reason);
  const executions = await opened.value.executions(account as BrokerAccountId, 0 as Instant);
  if (executions.outcome === 'failed') throw new Error(executions.reason);
  return {
    orders: orders.value.flatMap(({ clientOrderId }) => clientOrderId ?? []),
    executions: executions.value,
  };
}

const SETTLE_MS = 20_000;
const SETTLE_LOOKS = 60;
