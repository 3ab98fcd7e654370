import { classNames } from '../../class-names.ts';
import type { Texture } from '../../figure/texture.ts';
import { type Line, placeLine, type Plot } from '../scale/plot.ts';
import { linePath, type Point, thinPoints } from '../scale/thin-points.ts';
import { lineStroke, type LineTone } from './line-tone.ts';
import { TexturedLine } from './textured-line.tsx';

type Drawn = { readonly plot: Plot; readonly times: readonly number[]; readonly values: Line };

/** Where values are expected to lie: half of them in the inner band, nine in ten in the outer one. */
export type Expected = {
  /** Shows the outer band beside the values of the day that is looked at. */
  readonly name?: string;
  readonly outer: { readonly low: Line; readonly high: Line };
  readonly inner?: { readonly low: Line; readonly high: Line };
  readonly middle?: Line;
};

/** The record in one texture, or in two that meet at the last day of the first. */
export function MainLine({
  plot,
  times,
  values,
  labels,
  texture,
  later,
}: Drawn & {
  readonly labels: readonly string[];
  readonly texture: Texture;
  readonly later: { readonly after: string; readonly texture: Texture } | undefined;
}) {
  const turn = later ? labels.findIndex((label) => label > later.after) : -1;
  const placed = (from: number, to?: number) =>
    placeLine(plot, times.slice(from, to), values.slice(from, to));
  if (!later || turn < 0) {
    return <TexturedLine plot={plot} points={placed(0)} texture={texture} level={plot.bottom} />;
  }
  return (
    <>
      {turn > 0 && (
        <TexturedLine plot={plot} points={placed(0, turn)} texture={texture} level={plot.bottom} />
      )}
      <TexturedLine
        plot={plot}
        points={placed(Math.max(0, turn - 1))}
        texture={later.texture}
        level={plot.bottom}
      />
    </>
  );
}

/** Money comes on a day, not little by little: a line of steps. */
export function InvestedLine({ plot, times, values }: Drawn) {
  const points = placeLine(plot, times, values);
  const steps = points.flatMap((point, i) => [{ x: point.x, y: points[Math.max(0, i - 1)]!.y }, point]);
  return <path d={linePath(steps)} fill="none" className="stroke-control-line" strokeDasharray="1 3" />;
}

export function ReferenceLine({ plot, times, values }: Drawn) {
  return (
    <path
      d={linePath(thinned(plot, placeLine(plot, times, values)))}
      fill="none"
      className="stroke-ink-faint"
      strokeDasharray="5 3"
    />
  );
}

/** A line without a texture: what the record is compared with. */
export function PlainLine({ plot, times, values, tone }: Drawn & { readonly tone: LineTone }) {
  return (
    <path
      d={linePath(thinned(plot, placeLine(plot, times, values)))}
      fill="none"
      className={lineStroke(tone)}
      strokeWidth={tone === 'benchmark' ? 1.2 : 1.6}
      strokeLinejoin="round"
    />
  );
}

export function ExpectedBand({
  plot,
  times,
  expected: { outer, inner, middle },
}: Omit<Drawn, 'values'> & { readonly expected: Expected }) {
  return (
    <>
      <Area plot={plot} times={times} band={outer} className="fill-band/60" />
      {inner && <Area plot={plot} times={times} band={inner} className="fill-band" />}
      {middle && <ReferenceLine plot={plot} times={times} values={middle} />}
    </>
  );
}

function Area({
  plot,
  times,
  band: { low, high },
  className,
}: Omit<Drawn, 'values'> & { readonly band: Expected['outer']; readonly className: string }) {
  const outline = [...placeLine(plot, times, high), ...placeLine(plot, times, low).toReversed()];
  return <path d={`${linePath(outline)}Z`} className={className} />;
}

function thinned(plot: Plot, points: readonly Point[]): readonly Point[] {
  return thinPoints(points, Math.max(3, Math.round((plot.right - plot.left) / 1.5)));
}

/** The line at the day looked at, with a dot on each value. */
export function Crosshair({
  plot,
  at,
  values,
  bottom,
}: {
  plot: Plot;
  at: number;
  values: readonly { readonly tone: LineTone; readonly value: number | null | undefined }[];
  bottom: number;
}) {
  const x = plot.x(at);
  return (
    <g>
      <line x1={x} x2={x} y1={plot.top - 8} y2={bottom} className="stroke-control-line" />
      {values.map(
        ({ tone, value }) =>
          typeof value === 'number' && (
            <circle
              key={tone}
              cx={x}
              cy={plot.y(value)}
              r="4"
              className={classNames('stroke-surface', DOTS[tone])}
              strokeWidth="2"
            />
          ),
      )}
    </g>
  );
}

const DOTS: Readonly<Record<LineTone, string>> = {
  main: 'fill-series',
  benchmark: 'fill-benchmark',
  'compared-a': 'fill-compared-a',
  'compared-b': 'fill-compared-b',
  'compared-c': 'fill-compared-c',
};

/** The days under a drag, or those measured. */
export function Selection({
  plot,
  from,
  to,
  bottom,
}: {
  plot: Plot;
  from: number;
  to: number;
  bottom: number;
}) {
  const [left, right] = [plot.x(Math.min(from, to)), plot.x(Math.max(from, to))];
  return (
    <g>
      <rect
        x={left}
        width={right - left}
        y={plot.top - 8}
        height={bottom - plot.top + 8}
        className="fill-accent/12"
      />
      {[left, right].map((x) => (
        <line key={x} x1={x} x2={x} y1={plot.top - 8} y2={bottom} className="stroke-accent" />
      ))}
    </g>
  );
}
