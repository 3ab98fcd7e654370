import { areaPath, linePath, type Point, thinPoints } from '../chart/scale/thin-points.ts';
import { classNames } from '../class-names.ts';
import { HatchPattern, isHatched } from './hatch-pattern.tsx';
import { TEXTURE_STROKES, type Texture } from './texture.ts';

/** A small line without axes: the shape of a record. Its figures are next to it. */
export function Sparkline({
  values,
  texture,
  later,
  width = 320,
  height = 96,
  hatched = false,
  className,
}: {
  values: readonly number[];
  texture: Texture;
  /** From this point on the record is as real as that. */
  later?: { readonly from: number; readonly texture: Texture } | undefined;
  width?: number;
  height?: number;
  /** Fills the area below with the hatching of backtests. */
  hatched?: boolean;
  className?: string;
}) {
  const low = Math.min(...values);
  const high = Math.max(...values);
  const span = high - low || 1;
  const points = values.map((value, i) => ({
    x: (i / Math.max(1, values.length - 1)) * width,
    y: height - 4 - ((value - low) / span) * (height - 10),
  }));
  const turn = later ? Math.max(0, later.from - 1) : points.length - 1;
  const drawn = thinPoints(points.slice(0, turn + 1), Math.round(width / 4));
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      className={classNames('block w-full', className)}
    >
      {hatched && isHatched(texture) && (
        <>
          <HatchPattern id={`${HATCH}-${texture}`} texture={texture} />
          <path d={areaPath(drawn, height)} fill={`url(#${HATCH}-${texture})`} opacity="0.7" />
        </>
      )}
      <Stroke points={drawn} texture={texture} />
      {later && <Stroke points={points.slice(turn)} texture={later.texture} />}
    </svg>
  );
}

function Stroke({ points, texture }: { points: readonly Point[]; texture: Texture }) {
  const stroke = TEXTURE_STROKES[texture];
  return (
    <path
      d={linePath(points)}
      fill="none"
      className="stroke-series"
      strokeWidth={stroke.width}
      strokeDasharray={stroke.dash}
      strokeLinejoin="round"
      vectorEffect="non-scaling-stroke"
    />
  );
}

const HATCH = 'sparkline-hatch';
