// A chart of lines as SVG, readable on a light and on a dark page.
export type Chart = {
  readonly title: string;
  readonly across: string;
  readonly up: string;
  readonly lines: readonly {
    readonly name: string;
    readonly points: readonly (readonly [x: number, y: number])[];
  }[];
};

export function drawChart({ title, across, up, lines }: Chart): string {
  const every = lines.flatMap(({ points }) => points);
  const xMax = roundUp(Math.max(...every.map(([x]) => x)));
  const yMax = roundUp(Math.max(...every.map(([, y]) => y)));
  const x = (value: number) => (LEFT + (value / xMax) * (RIGHT - LEFT)).toFixed(1);
  const y = (value: number) => (BOTTOM - (value / yMax) * (BOTTOM - TOP)).toFixed(1);
  const parts = [0, 1, 2, 3, 4].map((part) => part / 4);
  const grid = parts.flatMap((part) => [
    `<line x1="${LEFT}" x2="${RIGHT}" y1="${y(part * yMax)}" y2="${y(part * yMax)}" class="grid"/>`,
    `<text x="${LEFT - 8}" y="${y(part * yMax)}" dy="4" text-anchor="end">${shown(part * yMax)}</text>`,
    `<text x="${x(part * xMax)}" y="${BOTTOM + 20}" text-anchor="middle">${shown(part * xMax)}</text>`,
  ]);
  const drawn = lines.flatMap(({ name, points }, nth) => {
    const colour = COLOURS[nth % COLOURS.length]!;
    const path = points.map(([px, py]) => `${x(px)},${y(py)}`).join(' ');
    const dots =
      points.length > DOTS_MAX
        ? []
        : points.map(([px, py]) => `<circle cx="${x(px)}" cy="${y(py)}" r="3.5" fill="${colour}"/>`);
    const at = LEFT + nth * 150;
    return [
      `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>`,
      ...dots,
      `<rect x="${at}" y="${HEIGHT - 18}" width="12" height="4" fill="${colour}"/>`,
      `<text x="${at + 18}" y="${HEIGHT - 12}">${name}</text>`,
    ];
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}">`,
    `<style>text{font:13px system-ui,sans-serif;fill:#64748b}.title{font-size:15px;font-weight:600}.grid{stroke:#94a3b8;stroke-opacity:.35}</style>`,
    `<text x="${LEFT}" y="22" class="title">${title}</text>`,
    `<text x="${LEFT}" y="42">${up}</text>`,
    `<text x="${RIGHT}" y="${BOTTOM + 38}" text-anchor="end">${across}</text>`,
    ...grid,
    ...drawn,
    '</svg>\n',
  ].join('\n');
}

/** To a number that four parts divide well. */
function roundUp(value: number): number {
  const unit = 10 ** Math.floor(Math.log10(Math.max(value, 1)));
  const steps = [1, 2, 4, 6, 8, 10].map((step) => step * unit);
  return steps.find((step) => step >= value) ?? 10 * unit;
}

function shown(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 1 });
}

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [720, 380, 64, 700, 56, 300];
const DOTS_MAX = 30;
/** Told apart by people who see few colours too. */
const COLOURS = ['#0284c7', '#d97706', '#64748b', '#16a34a'];
