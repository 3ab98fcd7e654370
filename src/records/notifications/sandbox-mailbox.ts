import type { Mailbox } from '#ports/mail.ts';
import { parseInstant } from '#units/instant.ts';
import type { Database } from '../postgres/database.ts';

const KEPT_MAX = 2_000;

/** The mailbox of the sandbox, as rows. */
export function createMailbox(database: Database): Mailbox {
  return {
    async keep({ to, subject, text }) {
      const { id } = await database
        .insertInto('sandbox_mails')
        .values({ recipient: to, subject, text })
        .returning('id')
        .executeTakeFirstOrThrow();
      await database
        .deleteFrom('sandbox_mails')
        .where('id', '<=', String(Number(id) - KEPT_MAX))
        .execute();
    },
    async list({ to, limit }) {
      let query = database.selectFrom('sandbox_mails').selectAll().orderBy('id', 'desc').limit(limit);
      if (to !== null) query = query.where('recipient', '=', to);
      const rows = await query.execute();
      return rows.map((row) => ({
        to: row.recipient,
        subject: row.subject,
        text: row.text,
        receivedAt: parseInstant(row.received_at),
      }));
    },
  };
}
