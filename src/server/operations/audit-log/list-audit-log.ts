import type { AuditChain as ShownChain, auditLogEndpoints } from '#contract/operations/audit-log.ts';
import { type AuditChain, findAuditChain, findAuditRows } from '#records/operations/audit-reader.ts';
import type { Call } from '../../http/call.ts';

const ROWS = 50;

/** A consistent picture of a log that only grows: the chain is read first, and rows that came since are on no page yet. */
export const listAuditLog: Call<typeof auditLogEndpoints.listAuditLog> = async ({ query }, { records }) => {
  const chain = await findAuditChain(records.database);
  const before = Math.min(query.before ?? Number.MAX_SAFE_INTEGER, chain.rows + 1);
  const found = await findAuditRows(records.database, { ...query, before }, ROWS + 1);
  const page = found.slice(0, ROWS);
  return {
    results: page.map(({ seq, at, actor, action, subject, details, hash, holds }) => ({
      seq: Number(seq),
      at,
      actor,
      action,
      subject,
      details,
      hash,
      holds,
    })),
    next: found.length > ROWS ? Number(page.at(-1)!.seq) : null,
    chain: showChain(chain),
  };
};

function showChain({ rows, head, anchor }: AuditChain): ShownChain {
  if (anchor === null) return { rows, head, anchor: null, unanchored: rows };
  // Written by a trader of ours, who signs it; `verify-audit` checks the signature.
  const { seq, anchored_at: at } = JSON.parse(anchor.line) as { seq: number; anchored_at: string };
  return {
    rows,
    head,
    anchor: { number: anchor.number, row: seq, at, is_sent: anchor.isSent },
    unanchored: Math.max(0, rows - seq),
  };
}
