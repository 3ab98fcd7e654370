// What the owner of the database can do to the bars: with the triggers off.
import type { TestDatabase } from './test-database.ts';

export async function withoutGuards(
  { owner }: Pick<TestDatabase, 'owner'>,
  statement: string,
): Promise<void> {
  await owner.query(`begin; alter table bars disable trigger user; alter table bar_heads disable trigger user;
    ${statement}; alter table bars enable trigger user; alter table bar_heads enable trigger user; commit`);
}
