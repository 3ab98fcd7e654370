import { type KeyboardEvent, useRef, useState } from 'react';
import type { SweepRun } from '#contract/strategies/backtests.ts';
import { classNames } from '../kit/class-names.ts';
import { Button } from '../kit/control/button.tsx';
import { SegmentedControl } from '../kit/control/segmented-control.tsx';
import { showCounted, showNumber, showPercent } from '../kit/figure/show-figure.ts';
import { TextureKey } from '../kit/figure/texture-key.tsx';
import {
  heatOf,
  neighbourSpread,
  type Spread,
  spreadOf,
  type SweepFigure,
  type SweepGrid,
} from './sweep-grid.ts';
import { showTunable, type TunableNumber } from './tunable-numbers.ts';

type Cell = { readonly row: number; readonly column: number };

type MapProps = {
  readonly grid: SweepGrid;
  readonly best: number;
  readonly numbers: readonly TunableNumber[];
  readonly isBusy: boolean;
  readonly use: (run: SweepRun) => void;
};

/** Two numbers against each other: each cell with its figure and what its neighbours did. The arrow keys move, Enter chooses. */
export function SweepMap({ grid, best, numbers, isBusy, use }: MapProps) {
  const [figure, setFigure] = useState<SweepFigure>('sharpe');
  const [at, setAt] = useState<Cell>(() => placeOf(grid, best));
  const runs = grid.rows.flat().flatMap((cell) => (cell ? [cell.run] : []));
  const all = spreadOf(runs.map((run) => run[figure]));
  const show = SHOWS[figure];
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <SegmentedControl label="Figure of each cell" options={FIGURES} value={figure} onChange={setFigure} />
        <TextureKey texture="in-sample" />
      </div>
      <Cells {...{ grid, best, numbers, figure, at, setAt }} />
      {all && (
        <p className="text-sm text-ink-soft">
          All {showCounted(runs.length, 'run')}: from {show(all.low)} to {show(all.high)}, half of them below{' '}
          {show(all.middle)}. Under each figure is the range of its neighbours: a good cell among bad ones is
          luck.
        </p>
      )}
      <Chosen {...{ grid, numbers, figure, at, isBusy, use }} />
    </div>
  );
}

function Cells({
  grid,
  best,
  numbers,
  figure,
  at,
  setAt,
}: Pick<MapProps, 'grid' | 'best' | 'numbers'> & {
  figure: SweepFigure;
  at: Cell;
  setAt: (cell: Cell) => void;
}) {
  const table = useRef<HTMLTableElement>(null);
  const largest = Math.max(0, ...grid.rows.flat().map((cell) => Math.abs(cell?.run[figure] ?? 0)));
  const onKeyDown = (event: KeyboardEvent) => {
    const [down, right] = MOVES[event.key] ?? [0, 0];
    const next = { row: at.row + down, column: at.column + right };
    if (down + right === 0 || !grid.rows[next.row]?.[next.column]) return;
    event.preventDefault();
    setAt(next);
    table.current?.querySelector<HTMLElement>(`[data-cell="${next.row}-${next.column}"]`)?.focus();
  };
  return (
    <section aria-label="Map of the sweep" className="overflow-x-auto rounded-control [contain:inline-size]">
      <table
        ref={table}
        onKeyDown={onKeyDown}
        className="figures w-full border-separate border-spacing-0.5 text-sm"
      >
        <caption className="pb-2 text-left text-ink-soft">
          {labelOf(numbers, grid.across.path)} across, {lowered(labelOf(numbers, grid.down.path))} down
        </caption>
        <thead>
          <tr className="text-ink-faint">
            <td />
            {grid.across.values.map((value) => (
              <th key={value} scope="col" className="px-1 py-1 text-center font-normal">
                {valueText(numbers, grid.across.path, value)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {grid.rows.map((cells, row) => (
            <tr key={grid.down.values[row]}>
              <th scope="row" className="pr-2 text-left font-normal text-ink-faint">
                {valueText(numbers, grid.down.path, grid.down.values[row]!)}
              </th>
              {cells.map((cell, column) => (
                <MapCell
                  key={grid.across.values[column]}
                  run={cell?.run ?? null}
                  isBest={cell?.place === best}
                  isChosen={at.row === row && at.column === column}
                  spread={neighbourSpread(grid, { row, column }, figure)}
                  place={{ row, column }}
                  {...{ figure, largest, setAt }}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function MapCell({
  run,
  isBest,
  isChosen,
  spread,
  place,
  figure,
  largest,
  setAt,
}: {
  run: SweepRun | null;
  isBest: boolean;
  isChosen: boolean;
  spread: Spread | null;
  place: Cell;
  figure: SweepFigure;
  largest: number;
  setAt: (cell: Cell) => void;
}) {
  const value = run?.[figure] ?? null;
  if (run === null) return <td className="text-center text-ink-faint">{'\u2013'}</td>;
  const show = SHOWS[figure];
  return (
    <td className="p-0">
      <button
        type="button"
        data-cell={`${place.row}-${place.column}`}
        aria-pressed={isChosen}
        tabIndex={isChosen ? 0 : -1}
        onClick={() => setAt(place)}
        className={classNames(
          'grid min-h-14 w-full min-w-14 content-center rounded-[3px] border bg-[repeating-linear-gradient(135deg,var(--hatch)_0_0.8px,transparent_0.8px_7px)] px-1 py-1 text-center text-ink',
          value !== null && HEATS[heatOf(value, largest) + 3],
          isChosen
            ? 'border-accent outline-1 outline-accent'
            : 'border-transparent hover:border-control-line',
        )}
      >
        <span className={isBest ? 'font-medium underline underline-offset-4' : undefined}>
          {value === null ? '\u2013' : show(value)}
          {isBest && <span className="sr-only">, the best of all</span>}
        </span>
        {spread && (
          <span className="text-xs text-ink-soft">
            <span className="sr-only">neighbours from </span>
            {show(spread.low)}
            <span aria-hidden="true">…</span>
            <span className="sr-only"> to </span>
            {show(spread.high)}
          </span>
        )}
      </button>
    </td>
  );
}

/** The chosen cell in words, with its doubt, and the press that takes its numbers. */
function Chosen({
  grid,
  numbers,
  figure,
  at,
  isBusy,
  use,
}: Pick<MapProps, 'grid' | 'numbers' | 'isBusy' | 'use'> & { figure: SweepFigure; at: Cell }) {
  const cell = grid.rows[at.row]?.[at.column];
  if (!cell) return null;
  const { run } = cell;
  const spread = neighbourSpread(grid, at, figure);
  const show = SHOWS[figure];
  return (
    <div className="flex flex-wrap items-center justify-between gap-4 border-t pt-4">
      <p className="max-w-prose" aria-live="polite">
        {Object.entries(run.parameters)
          .map(([path, value]) => `${labelOf(numbers, path)}: ${valueText(numbers, path, value)}`)
          .join(', ')}
        .{' '}
        <span className="text-ink-soft">
          {run.failure ??
            `${showPercent(run.annual_return, { sign: true, decimals: 1 })} a year, Sharpe ratio ${showNumber(run.sharpe)}, fell ${showPercent(run.max_drawdown, { decimals: 1 })} at worst, ${showCounted(run.trades, 'trade')}.`}
          {spread && ` Its neighbours: ${show(spread.low)} to ${show(spread.high)}.`}
        </span>
      </p>
      <Button variant="secondary" disabled={isBusy || run.failure !== undefined} onClick={() => use(run)}>
        Use these numbers
      </Button>
    </div>
  );
}

function placeOf(grid: SweepGrid, best: number): Cell {
  for (const [row, cells] of grid.rows.entries()) {
    const column = cells.findIndex((cell) => cell?.place === best);
    if (column >= 0) return { row, column };
  }
  return { row: 0, column: 0 };
}

function labelOf(numbers: readonly TunableNumber[], path: string): string {
  return numbers.find((one) => one.path === path)?.label ?? path;
}

function lowered(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

function valueText(numbers: readonly TunableNumber[], path: string, value: number): string {
  const number = numbers.find((one) => one.path === path);
  return number ? showTunable(number, value) : showNumber(value, 1);
}

const FIGURES = [
  { value: 'sharpe', label: 'Sharpe ratio' },
  { value: 'annual_return', label: 'Annual return' },
] as const;

const SHOWS: Readonly<Record<SweepFigure, (value: number) => string>> = {
  sharpe: (value) => showNumber(value, 1),
  annual_return: (value) => showPercent(value, { sign: true, decimals: 0 }),
};

/** From the deepest loss to the highest gain. */
const HEATS = ['bg-loss/34', 'bg-loss/22', 'bg-loss/12', '', 'bg-gain/12', 'bg-gain/22', 'bg-gain/34'];

const MOVES: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};
