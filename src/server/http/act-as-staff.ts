import type { FastifyRequest } from 'fastify';
import { actAs } from '#records/operations/audit-log.ts';
import type { Transaction } from '#records/postgres/database.ts';
import type { Staff } from './call.ts';
import type { Dependencies } from './dependencies.ts';

/** Of a call whose policy asks for a role: everybody else got "not found" before. */
export function staffOf({ staff }: FastifyRequest): Staff {
  if (staff === null) throw new Error('a call of staff has no policy that asks for their role');
  return staff;
}

/** In one transaction, which the audit log attributes to them. */
export function transactAs<Result>(
  { actor }: Staff,
  { records }: Pick<Dependencies, 'records'>,
  run: (trx: Transaction) => Promise<Result>,
): Promise<Result> {
  return records.database.transaction().execute(async (trx) => {
    await actAs(trx, actor);
    return run(trx);
  });
}
