// What `npm run verify-audit` finds out, as lines to print.
import { listAnchorRows } from '#records/operations/audit-anchors.ts';
import {
  checkAuditChain,
  databaseName,
  findUnanchored,
  listRowTimes,
} from '#records/operations/audit-log.ts';
import type { Database } from '#records/postgres/database.ts';
import type { AnchorKeys } from '../environment/anchor-key.ts';
import { type Anchor, parseAnchor } from './anchor.ts';
import { anchorFolder } from './anchor-folder.ts';
import { type AnchorPlace, examineAnchors, lateRows } from './examine-anchors.ts';

type Verifying = {
  readonly database: Database;
  readonly dataDir: string;
  readonly keys: AnchorKeys;
  /** Anchors that were sent away and are brought back to be held against the log. */
  readonly collected: readonly AnchorPlace[];
  /** Rows up to this one that were anchored late, and that somebody has looked at. */
  readonly acceptedRow: number;
};

export async function verifyLog(
  options: Verifying,
): Promise<{ readonly holds: boolean; readonly lines: readonly string[] }> {
  const { database, dataDir, keys, collected, acceptedRow } = options;
  const name = await databaseName(database);
  const stored = { name: 'the database', anchors: await storedAnchors(database) };
  const folder = { name: 'DATA_DIR/audit-anchors', anchors: anchorFolder(dataDir, name).read() };
  const { faults, anchors } = examineAnchors({ complete: [folder, stored], others: collected, keys });
  const { rows, broken } = await checkAuditChain(database, anchors);
  const late = lateRows(anchors, await listRowTimes(database, firstRowsOf(anchors))).filter(
    ({ anchor }) => anchor.seq > acceptedRow,
  );
  const newest = anchors.at(-1) ?? null;
  const unanchored = await findUnanchored(database, newest?.seq ?? 0);
  const findings = [
    ...(broken === null ? [] : [`The audit log is broken after ${rows} good rows: ${broken}.`]),
    ...faults.map((fault) => `${fault[0]!.toUpperCase()}${fault.slice(1)}.`),
    ...late.map(
      ({ from, anchor }) =>
        `Rows ${from.seq} to ${anchor.seq}, the first of ${timeOf(from.at)}, were anchored only at ${timeOf(new Date(anchor.anchored_at))}: until then nothing outside the database vouched for them. ` +
        `Either no trader ran, or anchors before anchor ${anchor.number} were removed. Hold anchors that were sent away against the log (--anchors FILE); once that is explained, accept it with --accept ${anchor.seq}.`,
    ),
    ...(unanchored === null
      ? []
      : [
          `Nothing outside the database vouches for the audit log from row ${unanchored.seq} of ${unanchored.at} on: anchors were ` +
            'removed, or no trader has run since. Put DATA_DIR/audit-anchors back from its copy, or start the product.',
        ]),
  ];
  if (findings.length > 0) return { holds: false, lines: findings };
  return {
    holds: true,
    lines: [`The audit log is intact: ${rows} rows, ${anchors.length} anchors.`, ...openEnd(rows, newest)],
  };
}

/** Whoever rules the database could still rewrite these: no longer than until the next anchor. */
function openEnd(rows: number, newest: Anchor | null): string[] {
  const open = rows - (newest?.seq ?? 0);
  if (open === 0) return [];
  const since = newest === null ? '' : ` of ${timeOf(new Date(newest.anchored_at))}`;
  return [
    `${open} ${open === 1 ? 'row is' : 'rows are'} newer than the last anchor${since}: until the next one, at most five minutes after the row, nothing outside the database vouches for ${open === 1 ? 'it' : 'them'}.`,
  ];
}

async function storedAnchors(database: Database): Promise<readonly Anchor[]> {
  return (await listAnchorRows(database, { after: 0 })).map(({ number, line }) => {
    const anchor = parseAnchor(line);
    if (anchor === null || anchor.number !== number)
      throw new Error(`anchor ${number} in the database is no anchor of that number`);
    return anchor;
  });
}

const firstRowsOf = (anchors: readonly Anchor[]) => [1, ...anchors.map(({ seq }) => seq + 1)];

function timeOf(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
