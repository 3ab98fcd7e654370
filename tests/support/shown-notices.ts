// Notices as their owner reads them, oldest first.
import { parseNoticeFacts } from '#records/notifications/notifications.ts';
import { type NoticeKind, noticeText } from '#rules/notifications/notice-text.ts';
import type { TestDatabase } from './test-database.ts';

export type ShownNotice = {
  readonly kind: NoticeKind;
  readonly deployment: string | null;
  readonly title: string;
  readonly message: string;
};

/** `condition` is of the table `notifications`, in SQL. */
export async function shownNotices(
  { pool }: Pick<TestDatabase, 'pool'>,
  condition: string,
  ...values: unknown[]
): Promise<ShownNotice[]> {
  const { rows } = await pool.query(
    `select kind, facts, deployment_id from notifications where ${condition} order by created_at, id`,
    values,
  );
  return rows.map((row) => {
    const facts = parseNoticeFacts(row);
    return { kind: facts.kind, deployment: row.deployment_id, ...noticeText(facts) };
  });
}

/** The messages alone. */
export async function shownMessages(
  ...question: Parameters<typeof shownNotices>
): Promise<{ readonly message: string }[]> {
  return (await shownNotices(...question)).map(({ message }) => ({ message }));
}
