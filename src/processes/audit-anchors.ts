// The head of the audit log, written every few minutes to files that the database role cannot change: to rewrite the log
// from some row on, an attacker must also rewrite these.
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type AuditHead, databaseName, findAuditHead } from '#records/operations/audit-log.ts';
import type { Database } from '#records/postgres/database.ts';

type AuditAnchors = {
  /** Writes a last anchor. */
  stop(): Promise<void>;
};

type AnchorOptions = {
  readonly database: Database;
  readonly dataDir: string;
  readonly onError: (error: unknown) => Promise<void>;
  /** After each attempt, also of one that had nothing to write. */
  readonly onAnchored: () => Promise<void>;
};

export function startAuditAnchors({ database, dataDir, onError, onAnchored }: AnchorOptions): AuditAnchors {
  let last = 0;
  const anchor = async () => {
    try {
      const head = await findAuditHead(database);
      if (head !== null && head.seq !== last) {
        writeAnchor(dataDir, await databaseName(database), head);
        last = head.seq;
      }
      await onAnchored();
    } catch (error) {
      await onError(error);
    }
  };
  const timer = setInterval(() => void anchor(), EVERY_MS);
  timer.unref();
  void anchor();
  return {
    stop: async () => {
      clearInterval(timer);
      await anchor();
    },
  };
}

function writeAnchor(dataDir: string, name: string, head: AuditHead): void {
  const folder = path.join(dataDir, FOLDER, name);
  mkdirSync(folder, { recursive: true });
  const at = new Date().toISOString();
  const line = JSON.stringify({ ...head, anchored_at: at });
  appendFileSync(path.join(folder, `${at.slice(0, 10)}.jsonl`), `${line}\n`);
}

/** Of the database of this name. Throws when a line is not an anchor: a spoilt file is not an absent one. */
export function readAnchors(dataDir: string, name: string): readonly AuditHead[] {
  const folder = path.join(dataDir, FOLDER, name);
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  return files.toSorted().flatMap((file) =>
    readFileSync(path.join(folder, file), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line, index) => parseAnchor(line, `${file}, line ${index + 1}`)),
  );
}

function parseAnchor(line: string, place: string): AuditHead {
  try {
    const { seq, hash } = JSON.parse(line) as Partial<AuditHead>;
    if (Number.isSafeInteger(seq) && typeof hash === 'string') return { seq: seq as number, hash };
  } catch {
    // Said below, with its place.
  }
  throw new Error(`audit-anchors/${place} is not an anchor`);
}

const FOLDER = 'audit-anchors';
const EVERY_MS = 5 * 60_000;
