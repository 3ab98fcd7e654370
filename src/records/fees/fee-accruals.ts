// The figures of a fee period that still runs, as the owner of its deployment reads them.
import type { AccrualFigures } from '#rules/fees/fee-accrual.ts';
import type { FeePeriodLength } from '#rules/fees/fee-period.ts';
import type { DeploymentId, UserId } from '#units/identifiers.ts';
import { type Instant, parseInstant } from '#units/instant.ts';
import { parseMicro } from '#units/money.ts';
import type { Database } from '../postgres/database.ts';
import { isUuid } from '../postgres/is-uuid.ts';
import { freezeFeeFigures } from './fee-bills.ts';

export type RunningPeriod = {
  readonly deploymentId: DeploymentId;
  /** The number that its bill will have. */
  readonly number: number;
  readonly start: Instant;
  readonly feePeriod: FeePeriodLength;
  /** Its owner wrote the rules. */
  readonly isOwnStrategy: boolean;
  readonly figures: AccrualFigures;
  /** The last valuation. */
  readonly asOf: Instant;
};

/** Undefined for an unknown deployment, someone else's, one of practice money and one that has ended. */
export async function findRunningPeriod(
  database: Database,
  { id, userId }: { readonly id: string; readonly userId: UserId },
): Promise<RunningPeriod | undefined> {
  if (!isUuid(id)) return undefined;
  // Books and value of one moment.
  return database
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      const row = await trx
        .selectFrom('deployments as d')
        .innerJoin('users as u', 'u.id', 'd.user_id')
        .innerJoin('strategies as s', 's.id', 'd.strategy_id')
        .select([
          'd.id',
          'd.equity_micro',
          'd.marked_at',
          'd.deployed_at',
          'd.billed_through',
          'u.fee_period',
          's.owner_id',
        ])
        .where('d.id', '=', id as DeploymentId)
        .where('d.user_id', '=', userId)
        .where('d.mode', '=', 'real')
        .where('d.ended_at', 'is', null)
        .executeTakeFirst();
      if (row === undefined) return undefined;
      const asOf = parseInstant(row.marked_at ?? row.deployed_at);
      // As of a close everything that is booked counts.
      const [books] = await freezeFeeFigures(trx, [{ id: row.id, end: asOf, isClosing: true }]);
      const { number, highWaterMark, capitalBefore, capital, settledResult } = books!;
      return {
        deploymentId: row.id,
        number,
        start: parseInstant(row.billed_through ?? row.deployed_at),
        feePeriod: row.fee_period,
        isOwnStrategy: row.owner_id !== null,
        figures: {
          highWaterMark,
          capitalBefore,
          capital,
          settledResult,
          equity: parseMicro(row.equity_micro),
        },
        asOf,
      };
    });
}
