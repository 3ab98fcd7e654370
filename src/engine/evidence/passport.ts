// The evidence passport of a published result, as downloaded: inputs, outputs, and the hashes of each. With the bars,
// anyone can run the engine again and compare part by part.
import type { BarSeries } from '../market/bar-series.ts';
import type { CorporateAction } from '../market/corporate-action.ts';
import type { Instrument } from '../market/instrument.ts';
import type { StrategyDefinition } from '../strategy/definition.ts';
import type { EvidenceCosts, ShownResult } from './evidence-run.ts';
import type { EvidenceHashes } from './fingerprints.ts';

export const PASSPORT_FORMAT = 'bellwether-evidence/1';
export const BARS_FORMAT = 'bellwether-bars/1';

export type Passport = {
  readonly format: typeof PASSPORT_FORMAT;
  readonly hashes: EvidenceHashes;
  /** Absent in passports that are older than it. */
  readonly engine_version?: string;
  readonly definition: StrategyDefinition;
  readonly costs: EvidenceCosts;
  readonly figures: ShownResult['figures'];
  readonly samples: ShownResult['samples'];
  /** SHA-256 of the daily series and of the trades that are shown, as canonical JSON. */
  readonly shown: { readonly series: string; readonly trades: string };
};

/** Prices by instrument, columns oldest first; closed_at in milliseconds since 1970, UTC. */
export type PassportBars = {
  readonly format: typeof BARS_FORMAT;
  readonly series: readonly PassportSeries[];
};

export type PassportSeries = SeriesOf<readonly number[], readonly (number | null)[]>;

/** The same in any form of column; a score that there is none of is null or NaN. */
export type SeriesOf<Column, Scores> = {
  readonly instrument: Instrument;
  readonly interval: BarSeries['interval'];
  readonly closed_at: Column;
  readonly open: Column;
  readonly high: Column;
  readonly low: Column;
  readonly close: Column;
  readonly volume: Column;
  /** Splits and dividends of that time, oldest first; absent where there were none. */
  readonly actions?: readonly CorporateAction[];
  /** Where the strategy has a model: its score of each bar. */
  readonly scores?: Scores;
};
