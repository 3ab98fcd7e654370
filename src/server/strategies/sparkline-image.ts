const WIDTH = 160;
const HEIGHT = 60;
const MARGIN = 4;

/** A strategy's own equity curve as a small picture, an SVG in a data address. */
export function sparklineImage(values: readonly number[]): string {
  const low = Math.min(...values);
  const span = Math.max(...values) - low || 1;
  const points = values.map((value, i) => {
    const x = MARGIN + (i / Math.max(1, values.length - 1)) * (WIDTH - 2 * MARGIN);
    const y = HEIGHT - MARGIN - ((value - low) / span) * (HEIGHT - 2 * MARGIN);
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  const line = `<polyline points="${points.join(' ')}" fill="none" stroke="#5b8def" stroke-width="2" stroke-linejoin="round"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}">${line}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
