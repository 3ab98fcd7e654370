// An adjustment of the books as two people of support agreed on it, without the server between.
import { randomUUID } from 'node:crypto';
import {
  decideProposal,
  insertProposal,
  lockProposal,
  type Proposal,
} from '#records/adjustments/adjustments.ts';
import type { BreakKind } from '#engine/execution/reconciliation/reconcile-positions.ts';
import type { DeploymentId, ExecutionId, UserId } from '../../src/units/identifiers.ts';
import { toMicro } from '../../src/units/money.ts';
import { toQuantity } from '../../src/units/quantity.ts';
import type { TestDatabase } from './test-database.ts';

export type AgreedAdjustment = {
  readonly deployment: DeploymentId | string;
  /** Without it the difference of this symbol is answered. */
  readonly execution?: string;
  readonly symbol?: string;
  /** Of the difference; unexplained when it is left out. */
  readonly kind?: BreakKind;
  readonly undoes?: string;
  readonly units: number;
  readonly price?: number;
  readonly commission?: number;
  readonly inSuspense?: boolean;
};

export async function supportPeople({ pool }: TestDatabase): Promise<readonly [UserId, UserId]> {
  const make = async () => {
    const id = randomUUID();
    await pool.query(
      `insert into users (id, email, password_hash, first_name, role) values ($1, $2, 'x', 'S', 'support')`,
      [id, `${id}@support.test`],
    );
    return id as UserId;
  };
  return [await make(), await make()];
}

/** Returns the id of the proposal; without `approve` it stays a proposal. */
export async function agreeOn(
  { database, pool }: TestDatabase,
  [first, second]: readonly [UserId, UserId | null],
  wanted: AgreedAdjustment,
): Promise<string> {
  const { execution, units, price, symbol = 'AAA', kind = 'unexplained' } = wanted;
  const { rows } = await pool.query(
    `select c.id as connection, c.account_id as account, (select f.id from reconciliation_breaks f
       where f.account_id = c.account_id and f.symbol = $2 and f.kind = $3 and f.ended_at is null) as difference
     from broker_connections c join deployments d on d.broker_connection_id = c.id where d.id = $1`,
    [wanted.deployment, symbol, kind],
  );
  const { connection, account, difference } = rows[0]!;
  const proposal: Proposal = {
    id: randomUUID(),
    accountId: account,
    connectionId: connection,
    answers:
      execution === undefined
        ? { difference, kind, execution: null }
        : { difference: null, execution: execution as ExecutionId },
    deploymentId: wanted.inSuspense === true ? null : (wanted.deployment as DeploymentId),
    symbol,
    undoes: (wanted.undoes ?? null) as ExecutionId | null,
    units: toQuantity(units),
    price: price ?? null,
    commission: toMicro(wanted.commission ?? 0),
    because: 'the broker told us so',
  };
  await database.transaction().execute(async (trx) => {
    if ((await insertProposal(trx, proposal, first)) === 'taken') throw new Error('another proposal stands');
    if (second === null) return;
    await lockProposal(trx, proposal.id);
    await decideProposal(trx, proposal.id, { by: second, declinedBecause: null });
  });
  return proposal.id;
}
