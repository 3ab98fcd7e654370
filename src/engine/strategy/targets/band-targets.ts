// A band around what is held: small differences are not traded. What is held is the last target moved by prices alone; fills and costs
// are not known here, so that a decision does not depend on whose deployment it is.
import type { Band } from '../definition.ts';
import { barAt, type Prepared } from '../prepare.ts';
import { type BandReading, type TargetTable, TargetWriter } from './target-table.ts';

/** Drops the lines of which every instrument is within the band; of the others, what is within it stays where prices moved it. */
export function bandTargets(prepared: Prepared, table: TargetTable, { percent }: Band): TargetTable {
  const width = table.symbols.length;
  const writer = new TargetWriter(width);
  const drift = new Drift(prepared);
  const mixed = new Float64Array(width);
  let reading: BandReading | null = null;
  for (let line = 0; line < table.count; line++) {
    const row = table.rows[line]!;
    const wanted = table.weights.subarray(line * width, (line + 1) * width);
    const held = drift.at(row);
    const outside = mix({ wanted, held, mixed, band: percent / 100 });
    reading = { row, wanted: wanted.slice(), held: held.slice(), traded: outside };
    if (!outside) continue;
    if (sizeOf(mixed) > Math.max(prepared.definition.gross, sizeOf(wanted)) + TINY) mixed.set(wanted);
    writer.push(row, mixed);
    drift.restart(row, mixed);
  }
  return {
    ...table,
    count: writer.count,
    rows: writer.rows(),
    weights: writer.weights(),
    ...(reading && { band: reading }),
  };
}

/** Whether anything is to be traded. What is opened, left or turned round always is. */
function mix({
  wanted,
  held,
  mixed,
  band,
}: {
  readonly wanted: Float64Array;
  readonly held: Float64Array;
  readonly mixed: Float64Array;
  readonly band: number;
}): boolean {
  let outside = false;
  for (let s = 0; s < wanted.length; s++) {
    const [to, from] = [wanted[s]!, held[s]!];
    const stays = to === from || (to * from > 0 && Math.abs(to - from) < band);
    mixed[s] = stays ? from : to;
    if (!stays) outside = true;
  }
  return outside;
}

function sizeOf(weights: Float64Array): number {
  return weights.reduce((sum, weight) => sum + Math.abs(weight), 0);
}

/** Weights moved by closes: w × p / (1 + Σ w × (p - 1)), where p is a price as a share of what it was. */
class Drift {
  readonly #prepared: Prepared;
  readonly #weights: Float64Array;
  readonly #closes: Float64Array;
  readonly #moved: Float64Array;

  constructor(prepared: Prepared) {
    const width = prepared.instruments.length;
    this.#prepared = prepared;
    this.#weights = new Float64Array(width);
    this.#closes = new Float64Array(width).fill(Number.NaN);
    this.#moved = new Float64Array(width);
  }

  at(row: number): Float64Array {
    let equity = 1;
    for (let s = 0; s < this.#weights.length; s++) {
      const weight = this.#weights[s]!;
      const ratio = weight === 0 ? 1 : this.#closeAt(s, row) / this.#closes[s]!;
      const moved = Number.isFinite(ratio) ? ratio : 1;
      this.#moved[s] = weight * moved;
      equity += weight * (moved - 1);
    }
    // What has lost everything has no shares of it left to compare with.
    if (!(equity > 0)) return this.#moved.fill(0);
    for (let s = 0; s < this.#moved.length; s++) this.#moved[s] = this.#moved[s]! / equity;
    return this.#moved;
  }

  restart(row: number, weights: Float64Array): void {
    this.#weights.set(weights);
    for (let s = 0; s < weights.length; s++) this.#closes[s] = this.#closeAt(s, row);
  }

  #closeAt(s: number, row: number): number {
    const instrument = this.#prepared.instruments[s]!;
    const bar = barAt(instrument, row);
    return bar < 0 ? Number.NaN : instrument.bars.close[bar]!;
  }
}

/** What sums of floats may differ by. */
const TINY = 1e-9;
