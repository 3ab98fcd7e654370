import type { Strategy } from '#contract/strategies/strategies.ts';
import { TextureKey } from '../../kit/figure/texture-key.tsx';
import { type SampleFigure, samplesOf } from './samples.ts';

/** A figure of the whole record taken apart, small: in-sample, then out-of-sample where that says something. */
export function SampleSplit({
  strategy,
  figure,
  show,
  always = false,
}: {
  strategy: Pick<Strategy, 'samples' | 'evidence'>;
  figure: SampleFigure;
  show: (value: number | null) => string;
  /** Said however short the later part is. */
  always?: boolean;
}) {
  const { in_sample, out_of_sample, isEnough } = samplesOf(strategy);
  const later = out_of_sample && (isEnough || always) ? figure(out_of_sample) : null;
  return (
    <span className="figures flex flex-wrap gap-x-4 gap-y-1 text-xs text-ink-soft">
      <span className="inline-flex items-center gap-1.5">
        <TextureKey texture="in-sample" words={false} />
        {show(in_sample && figure(in_sample))}
      </span>
      <span className="inline-flex items-center gap-1.5">
        <TextureKey texture="out-of-sample" words={false} />
        {later === null ? 'too short' : show(later)}
      </span>
    </span>
  );
}
