import { Download, Minus, Plus, Ruler, Table2, TrendingUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import { SegmentedControl } from '../control/segmented-control.tsx';
import { Select } from '../control/select.tsx';
import { Popover } from '../overlay/popover.tsx';
import type { ChartRange } from './scale/time-range.ts';

/** Another line to be compared with, chosen by name. */
export type BenchmarkChoice = {
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly value: string;
  readonly onChange: (value: string) => void;
};

export type Tools = {
  readonly label: string;
  readonly ranges: readonly ChartRange[];
  /** Null while other days are in sight. */
  readonly range: ChartRange | null;
  readonly onRange: (range: ChartRange) => void;
  readonly onZoom: (factor: number) => void;
  readonly isMeasuring: boolean;
  readonly onMeasuring: () => void;
  readonly asTable: boolean;
  readonly onTable: () => void;
  readonly onPicture: () => void;
  readonly onCsv: () => void;
  readonly benchmarks?: BenchmarkChoice | undefined;
};

const NEARER = 0.5;

export function ChartControls(tools: Tools) {
  const { label, ranges, range, asTable, benchmarks } = tools;
  const options = ranges.map((value) => ({ value, label: value }));
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-2">
      <SegmentedControl
        label={`${label}: range`}
        options={options}
        value={range ?? ('' as ChartRange)}
        onChange={tools.onRange}
      />
      <div className="flex items-center">
        {!asTable && (
          <>
            <Tool name="Zoom in" onClick={() => tools.onZoom(NEARER)}>
              <Plus className="size-4" aria-hidden="true" />
            </Tool>
            <Tool name="Zoom out" onClick={() => tools.onZoom(1 / NEARER)}>
              <Minus className="size-4" aria-hidden="true" />
            </Tool>
            <Tool name="Measure" isOn={tools.isMeasuring} onClick={tools.onMeasuring}>
              <Ruler className="size-4" aria-hidden="true" />
            </Tool>
          </>
        )}
        <Tool name={asTable ? 'Chart' : 'Table'} isOn={asTable} onClick={tools.onTable}>
          {asTable ? (
            <TrendingUp className="size-4" aria-hidden="true" />
          ) : (
            <Table2 className="size-4" aria-hidden="true" />
          )}
        </Tool>
        <SaveMenu onPicture={asTable ? null : tools.onPicture} onCsv={tools.onCsv} />
      </div>
      {benchmarks && (
        <Select
          compact
          className="w-60 max-w-full"
          aria-label="Benchmark"
          options={benchmarks.options}
          value={benchmarks.value}
          onChange={(event) => benchmarks.onChange(event.target.value)}
        />
      )}
    </div>
  );
}

function Tool({
  name,
  isOn,
  onClick,
  children,
}: {
  name: string;
  /** Of a switch; absent for what only acts. */
  isOn?: boolean;
  onClick: () => void;
  children: ReactNode;
}) {
  return (
    <button
      type="button"
      aria-label={name}
      title={name}
      aria-pressed={isOn}
      onClick={onClick}
      className={classNames(TOOL, isOn && 'bg-accent-wash text-accent')}
    >
      {children}
    </button>
  );
}

const TOOL =
  'flex size-9 items-center justify-center rounded-control text-ink-soft transition-colors hover:bg-raised hover:text-ink';

function SaveMenu({ onPicture, onCsv }: { onPicture: (() => void) | null; onCsv: () => void }) {
  return (
    <Popover
      label="Save the chart"
      panelLabel="Save the chart"
      width="w-44"
      triggerClassName={TOOL}
      trigger={<Download className="size-4" aria-hidden="true" />}
    >
      {(close) => (
        <div className="grid p-1">
          {onPicture && (
            <SaveButton
              onClick={() => {
                close();
                onPicture();
              }}
            >
              Picture (PNG)
            </SaveButton>
          )}
          <SaveButton
            onClick={() => {
              close();
              onCsv();
            }}
          >
            Figures (CSV)
          </SaveButton>
        </div>
      )}
    </Popover>
  );
}

function SaveButton({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="flex h-10 items-center rounded-control px-3 text-left text-sm text-ink hover:bg-surface"
    >
      {children}
    </button>
  );
}
