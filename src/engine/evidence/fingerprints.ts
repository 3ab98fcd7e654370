// The hashes of an evidence passport: what went into a result, and what came out. Promises the same hash for the same
// values wherever it is computed, and another one when a single bit of a single bar differs.
import type { Symbol } from '#units/identifiers.ts';
import type { BacktestResult } from '../backtest/result.ts';
import type { BacktestInput } from '../backtest/settings.ts';
import type { BarSeries } from '../market/bar-series.ts';
import type { Instrument } from '../market/instrument.ts';
import { definitionHash } from '../strategy/definition-hash.ts';
import { canonicalJson } from './canonical-json.ts';
import { sha256Hex, sha256HexOfBytes } from './sha256.ts';

export type InputHashes = {
  readonly engine: string;
  readonly definition: string;
  readonly data: string;
  readonly costs: string;
  /** Of the four above: what a result is found again by. */
  readonly input: string;
};

export type EvidenceHashes = InputHashes & { readonly result: string };

export function inputHashes(input: BacktestInput, engine: string): InputHashes {
  const definition = definitionHash(input.definition);
  const data = dataHash(input);
  const costs = sha256Hex(canonicalJson(input.settings));
  return { engine, definition, data, costs, input: inputHash({ engine, definition, data, costs }) };
}

export function inputHash({ engine, definition, data, costs }: Omit<InputHashes, 'input'>): string {
  return sha256Hex(canonicalJson({ engine, definition, data, costs }));
}

/** Of the bars, the terms of every instrument that they are bars of, its splits and dividends, and a model's scores. */
export function dataHash({
  instruments,
  series,
  scores,
}: Pick<BacktestInput, 'instruments' | 'series' | 'scores'>): string {
  const parts = [...series.values()]
    .sort((left, right) => (left.symbol < right.symbol ? -1 : 1))
    .map((bars) => ({
      instrument: termsOf(instruments, bars.symbol),
      bars: barsHash(bars),
      ...scoresHash(scores?.get(bars.symbol)),
      ...(bars.actions?.length ? { actions: bars.actions } : {}),
    }));
  return sha256Hex(canonicalJson(parts));
}

/** As JSON, in which a bar without a score has null. */
function scoresHash(column: Float64Array | undefined): { readonly scores?: string } {
  if (column === undefined) return {};
  return { scores: sha256Hex(canonicalJson(scoresOf(column))) };
}

/** A column of scores as JSON has it. */
export function scoresOf(column: Float64Array): (number | null)[] {
  return Array.from(column, (score) => (Number.isNaN(score) ? null : score));
}

/** Of the columns' own bytes: eight for each number, the lowest first. */
export function columnsHash(columns: readonly Float64Array[]): string {
  return sha256Hex(canonicalJson(columns.map((column) => sha256HexOfBytes(bytesOf(column)))));
}

export function barsHash(bars: BarSeries): string {
  const { closedAt, open, high, low, close, volume } = bars;
  return sha256Hex(
    canonicalJson({
      interval: bars.interval,
      columns: columnsHash([closedAt, open, high, low, close, volume]),
    }),
  );
}

/** Of every value of the run, and of the figures that are shown of it. */
export function resultHash(result: BacktestResult, shown: unknown): string {
  const { timeline, equity, cash, exposure, fills } = result;
  return sha256Hex(canonicalJson({ columns: columnsHash([timeline, equity, cash, exposure]), fills, shown }));
}

/** A name is for people and changes nothing. */
function termsOf(instruments: ReadonlyMap<Symbol, Instrument>, symbol: Symbol): Omit<Instrument, 'name'> {
  const instrument = instruments.get(symbol);
  if (instrument === undefined) throw new RangeError(`the terms of ${symbol} are not given`);
  const { name: _, ...terms } = instrument;
  return terms;
}

/** Every platform that runs the product stores the lowest byte first. */
function bytesOf(column: Float64Array): Uint8Array {
  return new Uint8Array(column.buffer, column.byteOffset, column.byteLength);
}
