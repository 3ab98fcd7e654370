export type EndLabel = {
  readonly name: string;
  readonly value: string;
  readonly y: number;
  readonly tone: 'main' | 'benchmark';
};

const APART_PX = 36;

/** Names and last values at the ends of the lines, moved apart where they would meet. */
export function EndLabels({ labels, x, bottom }: { labels: readonly EndLabel[]; x: number; bottom: number }) {
  const placed = spread(labels, bottom);
  return (
    <g className="figures text-[12px]">
      {placed.map((label) => (
        <g key={label.name} transform={`translate(${x} ${label.y})`}>
          <text y="-3" className="fill-ink-faint">
            {label.name}
          </text>
          <text
            y="13"
            className={
              label.tone === 'main' ? 'fill-ink text-[14px] font-medium' : 'fill-ink-soft text-[14px]'
            }
          >
            {label.value}
          </text>
        </g>
      ))}
    </g>
  );
}

function spread(labels: readonly EndLabel[], bottom: number): EndLabel[] {
  const sorted = [...labels].sort((a, b) => a.y - b.y);
  const placed: EndLabel[] = [];
  for (const label of sorted) {
    const least = placed.length > 0 ? placed.at(-1)!.y + APART_PX : 16;
    placed.push({ ...label, y: Math.max(label.y, least) });
  }
  const over = (placed.at(-1)?.y ?? 0) - (bottom - 14);
  return over > 0 ? placed.map((label) => ({ ...label, y: label.y - over })) : placed;
}
