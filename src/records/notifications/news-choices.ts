import { type Choice, choicesOf, type NewsChoices } from '#rules/notifications/choices.ts';
import type { UserId } from '#units/identifiers.ts';
import type { Database } from '../postgres/database.ts';

/** With what is usual where the person did not choose. */
export async function readChoices(database: Database, userId: UserId): Promise<NewsChoices> {
  const rows = await database
    .selectFrom('news_choices')
    .select(['news', 'channel', 'is_on as isOn'])
    .where('user_id', '=', userId)
    .execute();
  return choicesOf(rows as Choice[]);
}

/** Concurrent changes, such as from two windows, both persist: each sets only what it names. */
export async function changeChoices(
  database: Database,
  { userId, choices }: { readonly userId: UserId; readonly choices: readonly Choice[] },
): Promise<NewsChoices> {
  if (choices.length > 0)
    await database
      .insertInto('news_choices')
      .values(choices.map(({ news, channel, isOn }) => ({ user_id: userId, news, channel, is_on: isOn })))
      .onConflict((conflict) =>
        conflict.columns(['user_id', 'news', 'channel']).doUpdateSet(({ ref }) => ({
          is_on: ref('excluded.is_on'),
          updated_at: new Date(),
        })),
      )
      .execute();
  return readChoices(database, userId);
}
