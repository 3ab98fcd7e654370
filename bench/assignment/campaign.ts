// Strikes one way of assigning work for a number of kills, checks the records after each, and both sides' books at the end.
import { setTimeout as sleep } from 'node:timers/promises';
import type { BrokerAccountId } from '#units/identifiers.ts';
import { type Findings, findings } from '../../tests/kill-campaign/findings.ts';
import type { Stage } from '../../tests/kill-campaign/stage.ts';
import { chanceOf } from '../../tests/simulation/chance.ts';
import { openTrial, type TrialStage, type Way } from './stage.ts';
import { pickStrike, strike, type Struck } from './strikes.ts';

export type Campaign = {
  readonly way: Way;
  readonly struck: readonly Struck[];
  readonly orders: number;
  readonly fills: number;
  /** One line each. */
  readonly violations: readonly string[];
};

export type CampaignOptions = {
  readonly kills: number;
  readonly seed: number;
  readonly people?: number;
  /** Stops striking then, so that a sitting has an end. */
  readonly until?: number;
  readonly say: (line: string) => void;
};

const PEOPLE = 6;
const SHOWN_MAX = 20;

export async function runCampaign(
  way: Way,
  { kills, seed, people = PEOPLE, until = Number.POSITIVE_INFINITY, say }: CampaignOptions,
): Promise<Campaign> {
  const chance = chanceOf(seed, 19);
  const trial = await openTrial(way, people);
  const struck: Struck[] = [];
  const violations: string[] = [];
  try {
    await everyoneTraded(trial);
    while (struck.length < kills && performance.now() < until && violations.length < SHOWN_MAX) {
      const done = await strike(pickStrike(way, chance), trial, chance);
      struck.push(done);
      violations.push(
        ...done.orphans.map((one) => `nobody looked at ${one} within a minute of a ${done.name}`),
      );
      violations.push(...(await wrongNow(trial.stage)));
      if (struck.length % 25 === 0) say(`${way}: ${struck.length} strikes, ${violations.length} violations`);
    }
    await trial.stage.setFaults([]);
    const { orders, fills, ...wrong } = await findings({ ...trial.stage, vendor: 'scripted' });
    violations.push(...wordsOf(wrong));
    return { way, struck, orders, fills, violations };
  } finally {
    await trial.close();
  }
}

/** The first ticks read the history of each instrument; what is measured comes after them. */
async function everyoneTraded({ connections, looks, stage: { records } }: TrialStage): Promise<void> {
  for (let i = 0; ; i++) {
    const { rows } = await records.pool.query<{ traded: number }>(
      'select count(distinct broker_connection_id)::int as traded from orders',
    );
    if (rows[0]!.traded === connections.length && looks.size === connections.length) return;
    if (i === 600) throw new Error('not every account had an order within a minute of the beginning');
    await sleep(100);
  }
}

/** What may never be seen, whatever is under way: checked after each strike. The end of the campaign checks everything. */
async function wrongNow({ records, auditor }: Stage): Promise<string[]> {
  const { rows: unbalanced } = await records.pool.query<{ id: string }>(
    `select transaction_id as id from ledger_entries group by 1 having sum(amount_micro) <> 0`,
  );
  const { rows: connections } = await records.pool.query<{ id: string; account: BrokerAccountId }>(
    'select id, account_id as account from broker_connections',
  );
  const wrong = unbalanced.map(({ id }) => `the entries of ${id} do not sum to zero`);
  for (const { id, account } of connections) {
    const session = await auditor.broker.openSession(auditor.credentialsOf(id));
    const orders = session.outcome === 'ok' ? await session.value.orders(account) : session;
    if (orders.outcome === 'failed') throw new Error(orders.reason);
    const sent = orders.value.flatMap(({ clientOrderId }) => clientOrderId ?? []);
    const { rows: ours } = await records.pool.query<{ id: string }>(
      'select client_order_id as id from orders where client_order_id = any($1)',
      [sent],
    );
    const known = new Set(ours.map((one) => one.id));
    for (const [at, order] of sent.entries()) {
      if (!known.has(order)) wrong.push(`${order} is at the broker without an intent`);
      if (sent.indexOf(order) < at) wrong.push(`${order} is at the broker twice`);
    }
  }
  return wrong;
}

function wordsOf(wrong: Omit<Findings, 'orders' | 'fills'>): string[] {
  return Object.entries(wrong).flatMap(([word, found]) =>
    found.slice(0, SHOWN_MAX).map((one) => `${word}: ${one}`),
  );
}
