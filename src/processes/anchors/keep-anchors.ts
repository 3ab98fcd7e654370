// Every few minutes the head of the audit log is signed, kept in the data folder and sent away: whoever rules the database cannot
// rewrite the log from before the last anchor unnoticed.
import {
  findNewestAnchorRow,
  listAnchorRows,
  lockAnchors,
  saveAnchor,
} from '#records/operations/audit-anchors.ts';
import { databaseName, findAuditHash, findAuditHead } from '#records/operations/audit-log.ts';
import type { Database } from '#records/postgres/database.ts';
import type { AnchorKeys } from '../environment/anchor-key.ts';
import {
  type Anchor,
  anchorHash,
  anchorLine,
  NO_ANCHOR,
  parseAnchor,
  signAnchor,
  signatureFault,
} from './anchor.ts';
import { type AnchorFolder, anchorFolder, newestAnchor } from './anchor-folder.ts';

export type AuditAnchors = {
  /** Makes a last anchor. */
  stop(): Promise<void>;
};

export type Anchoring = {
  readonly database: Database;
  readonly dataDir: string;
  /** Read for each anchor: they may be replaced meanwhile. */
  readonly keys: () => Promise<AnchorKeys>;
  /** Away from this machine; it notes its own failures. */
  readonly send: () => Promise<void>;
  readonly outcome: {
    onAnchored(): Promise<void>;
    onError(error: unknown): Promise<void>;
    onRewritten(error: RewrittenLog): Promise<void>;
  };
};

/** The log or its anchors are not what was anchored before. */
export class RewrittenLog extends Error {}

export function keepAnchors(options: Anchoring): AuditAnchors {
  const { outcome, send } = options;
  let newest: Anchor | null = null;
  const anchor = async () => {
    try {
      newest = await makeAnchor(options, newest);
      await outcome.onAnchored();
    } catch (error) {
      await (error instanceof RewrittenLog ? outcome.onRewritten(error) : outcome.onError(error));
    }
  };
  const timer = setInterval(() => void anchor().then(send), ANCHORED_EVERY_MS);
  timer.unref();
  let last = anchor();
  void last.then(send);
  return {
    stop: async () => {
      clearInterval(timer);
      await last;
      last = anchor();
      await last;
    },
  };
}

/** Nothing when the log has not grown. Returns the newest anchor. */
async function makeAnchor(
  { database, dataDir, keys: openKeys }: Anchoring,
  remembered: Anchor | null,
): Promise<Anchor | null> {
  const name = await databaseName(database);
  const folder = anchorFolder(dataDir, name);
  const kept = newestAnchor([folder.newest(), remembered].filter((one) => one !== null));
  const made = await database.transaction().execute(async (trx) => {
    // Whoever replaces the key holds the same lock.
    await lockAnchors(trx);
    const keys = await openKeys();
    const row = await findNewestAnchorRow(trx);
    const stored = row === null ? null : signedAnchor(row.line, keys);
    if (kept !== null && kept.number > (stored?.number ?? 0))
      throw new RewrittenLog(`anchor ${kept.number} is gone from the database`);
    if (stored !== null && (await findAuditHash(trx, stored.seq)) !== stored.hash)
      throw new RewrittenLog(`row ${stored.seq} is not the one that anchor ${stored.number} is of`);
    const head = await findAuditHead(trx);
    if (head === null || head.seq === stored?.seq) return stored;
    const next = signAnchor(
      {
        number: (stored?.number ?? 0) + 1,
        ...head,
        anchored_at: new Date().toISOString(),
        database: name,
        previous: stored === null ? NO_ANCHOR : anchorHash(stored),
      },
      keys.current,
    );
    await saveAnchor(trx, { number: next.number, line: anchorLine(next), at: next.anchored_at });
    return next;
  });
  await copyToFolder({ database, keys: await openKeys(), folder }, kept);
  return made;
}

/** Also what another trader made, and what a crash kept from being written. */
async function copyToFolder(
  {
    database,
    keys,
    folder,
  }: Pick<Anchoring, 'database'> & { readonly keys: AnchorKeys; readonly folder: AnchorFolder },
  kept: Anchor | null,
): Promise<void> {
  const inFolder = folder.newest();
  if (inFolder === null && kept !== null) throw new RewrittenLog('the anchors are gone from the data folder');
  for (const { line } of await listAnchorRows(database, { after: inFolder?.number ?? 0 }))
    folder.append(signedAnchor(line, keys));
}

function signedAnchor(line: string, keys: AnchorKeys): Anchor {
  const anchor = parseAnchor(line);
  if (anchor === null) throw new RewrittenLog('a row of anchors in the database is none');
  const fault = signatureFault(anchor, keys);
  if (fault !== null) throw new RewrittenLog(`anchor ${anchor.number} in the database ${fault}`);
  return anchor;
}

const ANCHORED_EVERY_MS = 5 * 60_000;
