// One entry a decision, in the bell and in mails: its fills and unfilled orders stand together under one title.
import type { NoticeText } from './notice-text.ts';

export type EntryNotice = NoticeText & {
  readonly kind: string;
  /** Shared by the notices of one decision of one deployment; null stands alone. */
  readonly decision: string | null;
};

export type NoticeEntry<Notice> = {
  readonly title: string;
  /** In the order given; at least one. */
  readonly notices: readonly Notice[];
};

/** In the order of the first notice of each. */
export function noticeEntries<Notice extends EntryNotice>(
  notices: readonly Notice[],
): readonly NoticeEntry<Notice>[] {
  const entries = new Map<string, Notice[]>();
  for (const [place, notice] of notices.entries()) {
    const key = notice.decision ?? `alone ${place}`;
    const entry = entries.get(key);
    if (entry === undefined) entries.set(key, [notice]);
    else entry.push(notice);
  }
  return [...entries.values()].map((together) => ({ title: titleOf(together), notices: together }));
}

/** What began it names it, such as a stop loss; else its orders are counted. */
function titleOf(notices: readonly EntryNotice[]): string {
  const [first] = notices;
  if (notices.length === 1) return first!.title;
  const begun = notices.find(({ kind }) => kind !== 'order_filled' && kind !== 'order_not_filled');
  if (begun !== undefined) return begun.title;
  const filled = notices.filter(({ kind }) => kind === 'order_filled').length;
  const missed = notices.length - filled;
  if (missed === 0) return `${filled} fills`;
  if (filled === 0) return `${missed} orders not filled`;
  return `${filled} ${filled === 1 ? 'fill' : 'fills'}, ${missed} not filled`;
}
