// Holds the anchors of every place against each other and against the log: what is missing, forged, late, and what no anchor covers yet.
import type { AuditRowTime } from '#records/operations/audit-log.ts';
import type { AnchorKeys } from '../environment/anchor-key.ts';
import { type Anchor, anchorHash, NO_ANCHOR, signatureFault } from './anchor.ts';

/** Where anchors are, as an operator knows it. */
export type AnchorPlace = { readonly name: string; readonly anchors: readonly Anchor[] };

export type AnchorFindings = {
  /** Each counts against the log. */
  readonly faults: readonly string[];
  /** One of each number, signed, in order. */
  readonly anchors: readonly Anchor[];
};

/** `complete`: places that must have every anchor; others, such as mails, have some. */
export function examineAnchors({
  complete,
  others,
  keys,
}: {
  readonly complete: readonly AnchorPlace[];
  readonly others: readonly AnchorPlace[];
  readonly keys: AnchorKeys;
}): AnchorFindings {
  const faults: string[] = [];
  const byNumber = new Map<number, Anchor>();
  for (const { name, anchors } of [...complete, ...others])
    for (const anchor of anchors) {
      const known = byNumber.get(anchor.number);
      const fault = signatureFault(anchor, keys);
      if (fault !== null) faults.push(`anchor ${anchor.number} in ${name} ${fault}`);
      else if (known !== undefined && anchorHash(known) !== anchorHash(anchor))
        faults.push(
          `anchor ${anchor.number} in ${name} is another one than elsewhere: one of them was made of a rewritten log`,
        );
      else byNumber.set(anchor.number, anchor);
    }
  const anchors = [...byNumber.values()].toSorted((left, right) => left.number - right.number);
  const newest = anchors.at(-1)?.number ?? 0;
  for (const { name, anchors: own } of complete) {
    const missing = missingOf(new Set(own.map(({ number }) => number)), newest);
    if (missing !== null) faults.push(`${missing} in ${name}`);
  }
  anchors.forEach((anchor, index) => {
    const before = anchors[index - 1];
    const isFollowed = before !== undefined && before.number === anchor.number - 1;
    if (isFollowed && anchor.previous !== anchorHash(before))
      faults.push(`anchor ${anchor.number} does not follow anchor ${before.number}`);
    if (isFollowed && anchor.seq <= before.seq)
      faults.push(
        `anchor ${anchor.number} is of row ${anchor.seq}, and anchor ${before.number} of row ${before.seq}`,
      );
    if (anchor.number === 1 && anchor.previous !== NO_ANCHOR) faults.push('anchor 1 follows another one');
  });
  return { faults, anchors };
}

/**
 * Rows that waited longer for their anchor than a trader that runs lets them: until then nobody vouched for them. `firstRows` are the
 * first rows after each anchor.
 */
export function lateRows(
  anchors: readonly Anchor[],
  firstRows: readonly AuditRowTime[],
): readonly { readonly from: AuditRowTime; readonly anchor: Anchor }[] {
  return anchors.flatMap((anchor, index) => {
    const after = anchors[index - 1]?.seq ?? 0;
    const from = firstRows.find(({ seq }) => seq === after + 1);
    const isLate = from !== undefined && Date.parse(anchor.anchored_at) - from.at.getTime() > LATE_AFTER_MS;
    return isLate ? [{ from, anchor }] : [];
  });
}

const LATE_AFTER_MS = 15 * 60_000;

/** Null when none is. */
function missingOf(numbers: ReadonlySet<number>, newest: number): string | null {
  const ranges: string[] = [];
  for (let from = 1; from <= newest; from++) {
    if (numbers.has(from)) continue;
    let to = from;
    while (to < newest && !numbers.has(to + 1)) to += 1;
    ranges.push(from === to ? String(from) : `${from} to ${to}`);
    from = to;
  }
  if (ranges.length === 0) return null;
  const isOne = ranges.length === 1 && !ranges[0]!.includes('to');
  return `${isOne ? 'anchor' : 'anchors'} ${ranges.join(', ')} ${isOne ? 'is' : 'are'} missing`;
}
