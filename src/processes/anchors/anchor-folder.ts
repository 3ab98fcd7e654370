// The anchors of a database in DATA_DIR/audit-anchors: a file for each day, a line for each anchor.
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Anchor, anchorLine, parseAnchor } from './anchor.ts';

export type AnchorFolder = {
  /** In the order of the files. Throws when a line is not an anchor. */
  read(): readonly Anchor[];
  append(anchor: Anchor): void;
};

export function anchorFolder(dataDir: string, database: string): AnchorFolder {
  const folder = path.join(dataDir, 'audit-anchors', database);
  return {
    read() {
      if (!existsSync(folder)) return [];
      const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
      return files.toSorted().flatMap((file) => readAnchors(path.join(folder, file)));
    },
    append(anchor) {
      mkdirSync(folder, { recursive: true });
      const file = path.join(folder, `${anchor.anchored_at.slice(0, 10)}.jsonl`);
      appendFileSync(file, `${anchorLine(anchor)}\n`, { flush: true });
    },
  };
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
