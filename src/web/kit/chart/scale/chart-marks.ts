/** Something that happened on a day of the record: a fill, a round trip, a limit that acted. */
export type ChartMark = {
  readonly id: string;
  /** As the chart's labels are written, or an instant of that day. */
  readonly day: string;
  readonly side: 'buy' | 'sell' | 'other';
  /** One line: 'Bought 12 BWMKT at 303.10'. */
  readonly text: string;
};

/** The marks of each point, by its index; those outside of the labels are left out. */
export function marksByPoint(
  labels: readonly string[],
  marks: readonly ChartMark[],
): ReadonlyMap<number, readonly ChartMark[]> {
  const byPoint = new Map<number, ChartMark[]>();
  for (const mark of marks) {
    const at = pointOf(labels, mark.day);
    if (at === null) continue;
    const there = byPoint.get(at);
    if (there) there.push(mark);
    else byPoint.set(at, [mark]);
  }
  return byPoint;
}

/** The last point at or before the day: a fill between two closes belongs to the one that it followed. */
function pointOf(labels: readonly string[], day: string): number | null {
  const first = labels[0];
  if (first === undefined) return null;
  const at = day.slice(0, first.length);
  if (at < first || at > labels.at(-1)!) return null;
  let [low, high] = [0, labels.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (labels[middle]! <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}
