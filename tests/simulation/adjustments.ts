// What a broker revised or took back, and what two staff then do about it: the books of the deployment are corrected, or,
// if it has ended, the difference goes into suspense.
import type { BrokerExecution } from '#ports/broker.ts';
import type { BrokerAccountId, ExecutionId } from '#units/identifiers.ts';
import { DAY_MS, type Instant } from '#units/instant.ts';
import { agreeOn, supportPeople } from '../support/agreed-adjustment.ts';
import { splitSince } from './decided-positions.ts';
import type { World } from './world.ts';

export type Revised = {
  readonly account: BrokerAccountId;
  readonly original: BrokerExecution;
  /** Null when it vanished. */
  readonly revision: BrokerExecution | null;
  /** What was agreed on about it last. */
  agreed: string | null;
  isOver: boolean;
};

/** What the broker reports differently after `happen`. */
export async function watchRevisions(
  world: World,
  { connection, account: name }: { readonly connection: string; readonly account: string },
  happen: () => void,
): Promise<void> {
  const account = name as BrokerAccountId;
  const read = async () => {
    const opened = await world.auditor.sessionOf(connection);
    const reported =
      opened.outcome === 'ok'
        ? await opened.value.executions(account, (world.now() - DAY_MS) as Instant)
        : opened;
    if (reported.outcome === 'failed') throw new Error(reported.reason);
    return reported.value;
  };
  const before = await read();
  happen();
  const after = new Map((await read()).map((reported) => [reported.executionId, reported]));
  for (const original of before) {
    const revision = after.get(nextOf(original.executionId)) ?? null;
    const isRevised =
      revision !== null && !before.some(({ executionId }) => executionId === revision.executionId);
    if (!isRevised && after.has(original.executionId)) continue;
    world.revised.push({ account, original, revision, agreed: null, isOver: false });
  }
}

/** Returns whether work remains. */
export async function adjustBooks(world: World): Promise<boolean> {
  for (const revised of world.revised) if (!revised.isOver) await agreeAbout(world, revised);
  return world.revised.some(({ isOver }) => !isOver);
}

async function agreeAbout(world: World, revised: Revised): Promise<void> {
  const { account, original, revision } = revised;
  const { pool } = world.records;
  const { rows: agreed } = await pool.query<{ status: string }>(
    'select status from adjustments where id = $1',
    [revised.agreed],
  );
  if (agreed[0]?.status === 'applied') revised.isOver = true;
  if (revised.isOver || agreed[0]?.status === 'approved') return;
  const { rows } = await pool.query<Booked>(
    `select f.deployment_id as deployment, d.status in ('stopped', 'liquidated') as "hasEnded"
     from fills f join deployments d on d.id = f.deployment_id where f.account_id = $1 and f.execution_id = $2
     union all
     select (select d.id from deployments d join broker_connections c on c.id = d.broker_connection_id
       where c.account_id = x.account_id order by d.id limit 1), true
     from suspense_entries x where x.account_id = $1 and x.execution_id = $2`,
    [account, original.executionId],
  );
  const booked = rows[0];
  // Nothing was booked that it would change, or the trader has not read it yet.
  if (booked === undefined || !(await isToBeAnswered(world, revised))) return;
  const symbol = original.symbol!;
  // An adjustment that answers an execution counts in the units in which the broker reported it.
  const ratio = revision === null ? splitSince(world, symbol, original.at) : 1;
  const signed = ({ side, quantity }: BrokerExecution) =>
    ((side === 'buy' ? 1 : -1) * quantity * ratio) / 1e8;
  const units = revision === null ? 0 : signed(revision);
  revised.agreed = await agreeOn(world.records, await supportOf(world), {
    deployment: booked.deployment,
    symbol,
    ...(revision === null ? {} : { execution: revision.executionId }),
    ...(booked.hasEnded
      ? { inSuspense: true, units: units - signed(original) }
      : {
          undoes: original.executionId,
          units,
          ...(units === 0 ? {} : { price: revision!.price, commission: Number(revision!.commission) / 1e6 }),
        }),
  });
}

type Booked = { readonly deployment: string; readonly hasEnded: boolean };

/** An execution that is held, or a difference that two readings agreed on. */
async function isToBeAnswered(world: World, { account, original, revision }: Revised): Promise<boolean> {
  if (revision !== null) {
    const { rows } = await world.records.pool.query(
      `select from broker_inbox where account_id = $1 and execution_id = $2 and hold_code is not null and closed_at is null`,
      [account, revision.executionId],
    );
    return rows.length > 0;
  }
  const { rows } = await world.records.pool.query(
    `select from reconciliation_breaks where account_id = $1 and symbol = $2 and kind = 'unexplained'
       and ended_at is null`,
    [account, original.symbol],
  );
  return rows.length > 0;
}

const people = new WeakMap<World, ReturnType<typeof supportPeople>>();

export function supportOf(world: World): ReturnType<typeof supportPeople> {
  const known = people.get(world) ?? supportPeople(world.records);
  people.set(world, known);
  return known;
}

/** The last of the groups of an id counts the revisions. */
function nextOf(id: ExecutionId): ExecutionId {
  const stem = id.slice(0, id.lastIndexOf('.') + 1);
  return `${stem}${String(Number(id.slice(stem.length)) + 1).padStart(2, '0')}` as ExecutionId;
}
