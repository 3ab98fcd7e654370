// A trace as a picture: a line for each stage, children below their parent, and time from left to right. Long times in which nothing
// happens are cut out and named.
import type { CollectedSpan } from '../support/trace-collector.ts';

export type Drawing = { readonly title: string; readonly note: string; readonly ordersMax: number };

const WIDTH = 1120;
const LEFT = 330;
const RIGHT = 130;
const TOP = 96;
const ROW = 26;
const GAP_WIDTH = 54;
/** A pause longer than this many times all the work is cut out. */
const PAUSE_PART = 0.25;

type Row = { readonly span: CollectedSpan; readonly depth: number };

export function drawTrace(spans: readonly CollectedSpan[], { title, note, ordersMax }: Drawing): string {
  const { rows, hidden } = rowsOf(spans, ordersMax);
  const scale = scaleOf(rows.map(({ span }) => span));
  const height = TOP + rows.length * ROW + 58;
  const bars = rows.map((row, place) => drawRow(row, TOP + place * ROW, scale)).join('');
  const bottom = TOP + rows.length * ROW;
  const pauses = scale.pauses
    .map(
      ({ x, ms }) =>
        `<g class="pause"><rect x="${x}" y="${TOP - 14}" width="${GAP_WIDTH}" height="${bottom - TOP + 18}"/>` +
        `<text class="note" text-anchor="middle" x="${x + GAP_WIDTH / 2}" y="${TOP - 20}">${lengthOf(ms)}</text></g>`,
    )
    .join('');
  const more = hidden === 0 ? '' : ` ${hidden} more ${hidden === 1 ? 'order is' : 'orders are'} not drawn.`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="title description">
  <title id="title">${escape(title)}</title>
  <desc id="description">${escape(note + more)}</desc>
  <style>
    .ground { fill: #ffffff; } .trader { fill: #0969da; } .api { fill: #1a7f37; } .failed { fill: #bc4c00; }
    .pause rect { fill: #f6f8fa; } .rule { stroke: #d0d7de; }
    text { fill: #1f2328; font: 14px system-ui, sans-serif; } .name { font-weight: 600; font-size: 17px; } .note { fill: #57606a; font-size: 12px; }
    @media (prefers-color-scheme: dark) {
      .ground { fill: #0d1117; } .trader { fill: #58a6ff; } .api { fill: #3fb950; } .failed { fill: #f0883e; }
      .pause rect { fill: #161b22; } .rule { stroke: #30363d; } text { fill: #e6edf3; } .note { fill: #9da7b3; }
    }
  </style>
  <rect class="ground" width="${WIDTH}" height="${height}" rx="12"/>
  <text class="name" x="24" y="36">${escape(title)}</text>
  <text class="note" x="24" y="58">${escape(note + more)}</text>
  ${pauses}${bars}
  <g class="note"><rect class="trader" x="24" y="${bottom + 24}" width="12" height="12" rx="2"/><text class="note" x="42" y="${bottom + 34}">trader</text>
  <rect class="api" x="104" y="${bottom + 24}" width="12" height="12" rx="2"/><text class="note" x="122" y="${bottom + 34}">API</text>
  <text class="note" x="170" y="${bottom + 34}">Shaded: a pause, cut out.</text></g>
</svg>
`;
}

function drawRow({ span, depth }: Row, y: number, { xOf }: Scale): string {
  const [from, until] = [xOf(span.from), xOf(span.until)];
  const width = Math.max(2, until - from);
  const kind = span.hasFailed ? 'failed' : span.service.endsWith('api') ? 'api' : 'trader';
  return (
    `<line class="rule" x1="24" x2="${WIDTH - 24}" y1="${y + ROW - 4}" y2="${y + ROW - 4}"/>` +
    `<text x="${24 + depth * 16}" y="${y + 13}">${escape(nameOf(span))}</text>` +
    `<rect class="${kind}" x="${from.toFixed(1)}" y="${y + 2}" width="${width.toFixed(1)}" height="14" rx="2"/>` +
    `<text class="note" x="${WIDTH - 24}" y="${y + 13}" text-anchor="end">${lengthOf(span.until - span.from)}</text>`
  );
}

const WORDS: Readonly<Record<string, string>> = {
  close: 'Close, until the target is durable',
  bars: 'Bars read and stored',
  targets: 'Target computed',
  intent: 'Order decided',
  send: 'Checked and sent',
  acknowledge: 'Acknowledged',
  fill: 'Filled and booked',
  push: 'Pushed to the screen',
};

function nameOf({ name, attributes }: CollectedSpan): string {
  const words = WORDS[name] ?? name;
  return name === 'intent' ? `${words}: ${attributes['bellwether.instrument']}` : words;
}

/** Parents before their children; of the orders only the first few. */
function rowsOf(spans: readonly CollectedSpan[], ordersMax: number): { rows: Row[]; hidden: number } {
  const rows: Row[] = [];
  let orders = 0;
  const visit = (parent: string | null, depth: number) => {
    const own = spans
      .filter(({ parentSpanId }) => parentSpanId === parent)
      .toSorted((a, b) => a.from - b.from || nameOf(a).localeCompare(nameOf(b)));
    for (const span of own) {
      if (span.name === 'intent' && ++orders > ordersMax) continue;
      rows.push({ span, depth });
      visit(span.spanId, depth + 1);
    }
  };
  visit(null, 0);
  return { rows, hidden: Math.max(0, orders - ordersMax) };
}

type Scale = { xOf(ms: number): number; readonly pauses: readonly { x: number; ms: number }[] };

function scaleOf(spans: readonly CollectedSpan[]): Scale {
  const busy: { from: number; until: number }[] = [];
  for (const { from, until } of spans.toSorted((a, b) => a.from - b.from)) {
    const last = busy.at(-1);
    if (last !== undefined && from <= last.until) last.until = Math.max(last.until, until);
    else busy.push({ from, until });
  }
  const worked = Math.max(
    1,
    busy.reduce((sum, { from, until }) => sum + until - from, 0),
  );
  const pieces: { from: number; until: number }[] = [];
  for (const { from, until } of busy) {
    const last = pieces.at(-1);
    if (last !== undefined && from - last.until <= worked * PAUSE_PART) last.until = until;
    else pieces.push({ from, until });
  }
  const drawn = Math.max(
    1,
    pieces.reduce((sum, { from, until }) => sum + until - from, 0),
  );
  const room = WIDTH - LEFT - RIGHT - GAP_WIDTH * (pieces.length - 1);
  const places: { from: number; until: number; x: number }[] = [];
  const pauses: { x: number; ms: number }[] = [];
  let x = LEFT;
  for (const [place, { from, until }] of pieces.entries()) {
    places.push({ from, until, x });
    x += ((until - from) / drawn) * room;
    const next = pieces[place + 1];
    if (next === undefined) continue;
    pauses.push({ x, ms: next.from - until });
    x += GAP_WIDTH;
  }
  return {
    pauses,
    xOf(ms) {
      const place = places.findLast(({ from }) => from <= ms) ?? places[0]!;
      return place.x + ((Math.min(ms, place.until) - place.from) / drawn) * room;
    },
  };
}

function lengthOf(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
