import type { ReactNode } from 'react';
import type { SampleResults } from '#contract/strategies/evidence.ts';
import type { Strategy } from '#contract/strategies/strategies.ts';
import { Change } from '../../kit/figure/change.tsx';
import { showCounted, showDate } from '../../kit/figure/show-figure.ts';
import { TextureKey } from '../../kit/figure/texture-key.tsx';
import { partSince, type SampleFigure, samplesOf } from './samples.ts';

/** A short list of figures in two columns: before the rules were fixed, and since. Rows are SampleRow or SpanRow. */
export function SampleTable({
  caption,
  strategy,
  children,
}: {
  caption: string;
  strategy: Strategy;
  children: ReactNode;
}) {
  const { in_sample, out_of_sample, isEnough } = samplesOf(strategy);
  return (
    <table className="mt-3 w-full border-t text-left">
      <caption className="sr-only">{caption}</caption>
      <thead className="align-top text-xs text-ink-faint">
        <tr className="border-b">
          <td />
          <th scope="col" className="py-2 pl-3 text-right font-normal">
            <Part texture="in-sample" name="In-sample" />
            <span className="block">{in_sample ? showCounted(in_sample.days, 'day') : 'none'}</span>
          </th>
          <th scope="col" className="py-2 pl-3 text-right font-normal">
            <Part texture="out-of-sample" name="Out-of-sample" />
            <span className="block">
              {out_of_sample === null
                ? `from ${showDate(strategy.evidence.out_of_sample.from)}`
                : `${showCounted(out_of_sample.days, 'day')}${isEnough ? '' : ', too short'}`}
            </span>
          </th>
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

type RowProps = { readonly label: string; readonly strategy: Strategy };

/** One figure of both parts. */
export function SampleRow({
  label,
  strategy,
  figure,
  show = asChange,
  always = false,
  yearly = false,
}: RowProps & {
  readonly figure: SampleFigure;
  readonly show?: (value: number | null) => ReactNode;
  /** Said however short the later part is. */
  readonly always?: boolean;
  /** Not said of less than a year. */
  readonly yearly?: boolean;
}) {
  const { in_sample, out_of_sample, isEnough } = samplesOf(strategy);
  const cell = (part: SampleResults | null) => {
    const value = part && figure(part);
    if (value === null && yearly && part)
      return <span className="font-sans text-xs text-ink-faint">under a year</span>;
    return part ? show(value) : '–';
  };
  return (
    <Row label={label}>
      <td className={CELL}>{cell(in_sample)}</td>
      <td className={CELL}>{cell(isEnough || always ? out_of_sample : null)}</td>
    </Row>
  );
}

/** The return of a period up to now, in the column of its part. */
export function SpanRow({
  label,
  strategy,
  since,
  value,
}: RowProps & { readonly since: string; readonly value: number | null }) {
  const part = partSince(strategy, since);
  const shown = <Change value={value} />;
  if (part === 'both' && value !== null) {
    return (
      <Row label={label}>
        <td colSpan={2} className={CELL}>
          <span className="mr-3 font-sans text-xs text-ink-faint">in both</span>
          {shown}
        </td>
      </Row>
    );
  }
  return (
    <Row label={label}>
      <td className={CELL}>{part === 'in_sample' ? shown : '–'}</td>
      <td className={CELL}>{part === 'out_of_sample' ? shown : '–'}</td>
    </Row>
  );
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <tr className="border-b last:border-0">
      <th scope="row" className="py-2.5 text-sm font-normal text-ink-soft">
        {label}
      </th>
      {children}
    </tr>
  );
}

function Part({ texture, name }: { texture: 'in-sample' | 'out-of-sample'; name: string }) {
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap text-ink-soft">
      <TextureKey texture={texture} words={false} />
      <span aria-hidden="true">{name}</span>
    </span>
  );
}

const asChange = (value: number | null) => <Change value={value} />;

const CELL = 'figures py-2.5 pl-3 text-right text-base text-ink';
