// Sends anchors away: each to a collector, the newest of a day by mail.
import type { AlarmReceiver } from '#ports/alarm-receiver.ts';
import type { MailPort } from '#ports/mail.ts';
import {
  findNewestAnchorRow,
  giveMailingBack,
  listUnposted,
  markPosted,
  takeMailing,
} from '#records/operations/audit-anchors.ts';
import type { Database } from '#records/postgres/database.ts';
import { anchorMail } from '#rules/operations/anchor-mail.ts';
import type { AnchorKeys } from '../environment/anchor-key.ts';
import { parseAnchor } from './anchor.ts';

export type Sending = {
  readonly database: Database;
  readonly keys: () => Promise<AnchorKeys>;
  /** Null where anchors are not posted, or not mailed. */
  readonly collector: AlarmReceiver | null;
  readonly mail: { readonly port: MailPort; readonly to: string } | null;
  readonly outcome: { onSent(): Promise<void>; onError(error: unknown): Promise<void> };
};

export async function sendAnchors(options: Sending): Promise<void> {
  try {
    await postAnchors(options);
    await mailNewest(options);
    await options.outcome.onSent();
  } catch (error) {
    await options.outcome.onError(error);
  }
}

/** In their order, so that the collector sees a gap at once. */
async function postAnchors({ database, collector }: Sending): Promise<void> {
  if (collector === null) return;
  for (;;) {
    const rows = await listUnposted(database, AT_ONCE);
    for (const { number, line } of rows) {
      const anchor = parseAnchor(line);
      const outcome = await collector.send({ id: `anchor:${anchor?.database}:${number}`, body: line });
      if (outcome.outcome === 'failed') throw new Error(`anchor ${number} was not taken: ${outcome.reason}`);
      await markPosted(database, number);
    }
    if (rows.length < AT_ONCE) return;
  }
}

/** Each anchor covers the whole log before it: one a day is enough to hold against it. */
async function mailNewest({ database, keys, mail }: Sending): Promise<void> {
  const newest = mail === null ? null : await findNewestAnchorRow(database);
  if (mail === null || newest === null) return;
  if (!(await takeMailing(database, { number: newest.number, hours: HOURS_APART }))) return;
  const { number, line } = newest;
  const { current, former } = await keys();
  const replaced = former.find(({ id }) => id === parseAnchor(line)?.key);
  const text = anchorMail({ number, line, publicKey: replaced?.publicPart ?? current.publicKey });
  const outcome = await mail.port.send({ to: mail.to, ...text });
  if (outcome.outcome !== 'refused') return;
  await giveMailingBack(database, number);
  throw new Error(`anchor ${number} was not mailed: ${outcome.reason}`);
}

const AT_ONCE = 100;
const HOURS_APART = 24;
