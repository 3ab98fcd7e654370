// The anchors of a database in DATA_DIR/audit-anchors: a file for each day, a line for each anchor.
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Anchor, anchorLine, parseAnchor } from './anchor.ts';

export type AnchorFolder = {
  /** In the order of the files. Throws when a line is not an anchor. */
  read(): readonly Anchor[];
  /** Reads the last file alone; null when there is none. */
  newest(): Anchor | null;
  append(anchor: Anchor): void;
};

export function anchorFolder(dataDir: string, database: string): AnchorFolder {
  const folder = path.join(dataDir, 'audit-anchors', database);
  const files = () =>
    existsSync(folder)
      ? readdirSync(folder)
          .filter((name) => name.endsWith('.jsonl'))
          .toSorted()
          .map((name) => path.join(folder, name))
      : [];
  return {
    read: () => files().flatMap((file) => readAnchors(file)),
    newest() {
      const last = files().at(-1);
      return last === undefined ? null : newestAnchor(readAnchors(last));
    },
    append(anchor) {
      mkdirSync(folder, { recursive: true });
      const file = path.join(folder, `${anchor.anchored_at.slice(0, 10)}.jsonl`);
      appendFileSync(file, `${anchorLine(anchor)}\n`, { flush: true });
    },
  };
}

/** By number. */
export function newestAnchor(anchors: readonly Anchor[]): Anchor | null {
  return anchors.reduce<Anchor | null>(
    (newest, anchor) => (newest === null || anchor.number > newest.number ? anchor : newest),
    null,
  );
}

/** Of a file with a line for each, such as one collected elsewhere. */
export function readAnchors(file: string): readonly Anchor[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, index) => {
      if (line.trim() === '') return [];
      const anchor = parseAnchor(line);
      if (anchor === null) throw new Error(`${file}, line ${index + 1} is not an anchor`);
      return [anchor];
    });
}
