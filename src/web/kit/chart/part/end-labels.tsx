import { lineFill, type LineTone } from './line-tone.ts';

export type EndLabel = {
  readonly name: string;
  readonly value: string;
  readonly y: number;
  readonly tone: LineTone;
};

const LABEL_DISTANCE_PX = 36;

/** Names and last values at the ends of the lines, moved apart where they would meet. */
export function EndLabels({
  labels,
  named,
  x,
  bottom,
}: {
  labels: readonly EndLabel[];
  /** Without names it shows only the values: the names are above the chart. */
  named: boolean;
  x: number;
  bottom: number;
}) {
  const placed = spread(labels, bottom, named ? LABEL_DISTANCE_PX : LABEL_DISTANCE_PX / 2);
  return (
    <g className="figures text-[12px]">
      {placed.map((label) => (
        <g key={label.name} transform={`translate(${x} ${label.y})`}>
          {named && (
            <text y="-4" className="fill-ink-faint">
              {label.name}
            </text>
          )}
          <text
            y={named ? 12 : 5}
            className={label.tone === 'main' ? 'fill-ink font-medium' : lineFill(label.tone)}
            fontSize={named ? 14 : 12}
          >
            {label.value}
          </text>
        </g>
      ))}
    </g>
  );
}

function spread(labels: readonly EndLabel[], bottom: number, distance: number): EndLabel[] {
  const sorted = [...labels].sort((a, b) => a.y - b.y);
  const placed: EndLabel[] = [];
  for (const label of sorted) {
    const least = placed.length > 0 ? placed.at(-1)!.y + distance : 16;
    placed.push({ ...label, y: Math.max(label.y, least) });
  }
  const over = (placed.at(-1)?.y ?? 0) - (bottom - 14);
  return over > 0 ? placed.map((label) => ({ ...label, y: label.y - over })) : placed;
}
