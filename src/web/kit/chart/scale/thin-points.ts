export type Point = { readonly x: number; readonly y: number };

/**
 * At most `count` points that keep the shape of the line, first and last included.
 * Largest triangle three buckets: S. Steinarsson, Downsampling Time Series for Visual Representation, 2013.
 */
export function thinPoints(points: readonly Point[], count: number): readonly Point[] {
  if (points.length <= count || count < 3) return points;
  const size = (points.length - 2) / (count - 2);
  const kept: Point[] = [points[0]!];
  for (let bucket = 0; bucket < count - 2; bucket++) {
    const start = Math.floor(bucket * size) + 1;
    const end = Math.floor((bucket + 1) * size) + 1;
    const next = average(points.slice(end, Math.min(points.length, Math.floor((bucket + 2) * size) + 1)));
    kept.push(farthest(points.slice(start, end), kept.at(-1)!, next));
  }
  kept.push(points.at(-1)!);
  return kept;
}

/** An SVG path through the points. */
export function linePath(points: readonly Point[]): string {
  return points.map((p, i) => `${i === 0 ? 'M' : 'L'}${p.x.toFixed(1)} ${p.y.toFixed(1)}`).join('');
}

/** The same path closed down, or up, to a level. */
export function areaPath(points: readonly Point[], level: number): string {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return '';
  return `${linePath(points)}L${last.x.toFixed(1)} ${level.toFixed(1)}L${first.x.toFixed(1)} ${level.toFixed(1)}Z`;
}

function average(points: readonly Point[]): Point {
  let [x, y] = [0, 0];
  for (const point of points) {
    x += point.x;
    y += point.y;
  }
  return { x: x / points.length, y: y / points.length };
}

function farthest(candidates: readonly Point[], before: Point, after: Point): Point {
  let best = candidates[0]!;
  let largest = -1;
  for (const point of candidates) {
    const area = Math.abs(
      (before.x - after.x) * (point.y - before.y) - (before.x - point.x) * (after.y - before.y),
    );
    if (area > largest) [largest, best] = [area, point];
  }
  return best;
}
