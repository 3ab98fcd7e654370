import { useId } from 'react';
import { HatchPattern, isHatched } from '../../figure/hatch-pattern.tsx';
import { TEXTURE_STROKES, type Texture } from '../../figure/texture.ts';
import type { Plot } from '../scale/plot.ts';
import { areaPath, linePath, thinPoints, type Point } from '../scale/thin-points.ts';

/** One stretch of a record, drawn as real as it is. */
export function TexturedLine({
  plot,
  points,
  texture,
  level,
}: {
  plot: Plot;
  points: readonly Point[];
  texture: Texture;
  level: number;
}) {
  const pattern = useId();
  const stroke = TEXTURE_STROKES[texture];
  // A dashed line needs calm corners: about one every four pixels.
  const spacing = stroke.dash ? 4 : 1.5;
  const drawn = thinPoints(points, Math.max(3, Math.round((plot.right - plot.left) / spacing)));
  return (
    <>
      {isHatched(texture) && (
        <>
          <HatchPattern id={pattern} texture={texture} />
          <path d={areaPath(drawn, level)} fill={`url(#${pattern})`} opacity="0.7" />
        </>
      )}
      <path
        d={linePath(drawn)}
        fill="none"
        className="stroke-series"
        strokeWidth={stroke.width}
        strokeDasharray={stroke.dash}
        strokeLinejoin="round"
        strokeLinecap={stroke.dash ? 'butt' : 'round'}
      />
    </>
  );
}
