// The process that sends the mails which notices are worth, on a clock of its own, and a mail provider that can be down
// or take the process with it.
import type { MailOutcome } from '#ports/mail.ts';
import type { DatabaseHandle } from '#records/postgres/database.ts';
import { deliverMails } from '../support/deliver-mails.ts';
import { HOUR_MS, type Instant, MINUTE_MS } from '#units/instant.ts';
import type { Chance } from './chance.ts';

export type Weather = 'fine' | 'down' | 'deadly';

export type Mailroom = {
  /** One round of a sender; it may not live to the end of it. Time passes before the next one. */
  deliver(weather: Weather): Promise<void>;
  /** What is wrong once the provider answers again. */
  violations(): Promise<string[]>;
};

const KILLED = 'the sender was killed';
/** Behind every `due_at`, which the database's own clock writes. */
const LATE = Date.UTC(2100, 0, 1);
/** More than the longest pause between two attempts. */
const ROUND_MS = 5 * HOUR_MS;

/** What becomes of a mail that is handed over. */
const FATES: { readonly [weather in Weather]: readonly ('sent' | 'refused' | 'unknown' | 'dies')[] } = {
  fine: ['sent'],
  down: ['sent', 'refused', 'refused', 'unknown'],
  deadly: ['sent', 'refused', 'dies'],
};

export function mailroom(records: DatabaseHandle, chance: Chance): Mailroom {
  let clock = LATE;
  let mayHaveLeft = 0;
  const answer = (weather: Weather): MailOutcome => {
    const fate = chance.pick(FATES[weather]);
    if (fate === 'refused') return { outcome: 'refused', mayPass: true, reason: 'the provider is down' };
    mayHaveLeft += 1;
    if (fate === 'dies') throw new Error(KILLED);
    return fate === 'sent' ? { outcome: 'sent' } : { outcome: 'unknown', reason: 'no answer came' };
  };
  return {
    async deliver(weather) {
      clock += ROUND_MS;
      await deliverMails(
        {
          records,
          mail: { send: async () => answer(weather) },
          now: () => (clock += MINUTE_MS) as Instant,
          config: { installation: 'demonstration', publicUrl: 'http://bellwether.test' },
          logger: false,
        },
        { later: true },
      ).catch((error: Error) => {
        if (error.message !== KILLED) throw error;
      });
    },
    async violations() {
      const { rows } = await records.pool.query<{ open: number; handed: number; unmailed: number }>(
        `select count(*) filter (where status in ('waiting', 'sending'))::int as open,
           count(distinct (user_id, ended_at)) filter (where status in ('sent', 'unknown'))::int as handed,
           count(*) filter (where notification_id is null)::int as unmailed
         from mails`,
      );
      const { open, handed, unmailed } = rows[0]!;
      return [
        ...(open > 0 ? [`F30 ${open} mails were never sent, and no fault lasts`] : []),
        ...(handed === mayHaveLeft ? [] : [`F30 ${mayHaveLeft} mails may have left, ${handed} should have`]),
        ...(unmailed > 0 ? [`F30 ${unmailed} mails are of no notice`] : []),
      ];
    },
  };
}
