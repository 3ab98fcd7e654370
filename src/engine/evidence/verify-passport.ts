// Runs a passport again and says, part by part, whether what is stated is what comes out. Promises that no part is
// called equal unless its hash was computed here from the content itself, and names what differs.
import type { Symbol } from '#units/identifiers.ts';
import type { BarSeries } from '../market/bar-series.ts';
import type { Instrument } from '../market/instrument.ts';
import { barsPerDay } from '../market/session-parts.ts';
import { parseDefinition } from '../strategy/parsing/parse-definition.ts';
import { canonicalJson } from './canonical-json.ts';
import { ENGINE_VERSION, FIRST_ENGINE_VERSION } from './engine-version.ts';
import { type EvidenceRun, type EvidenceRunInput, runEvidence } from './evidence-run.ts';
import { inputHash, inputHashes } from './fingerprints.ts';
import { firstDifference } from './first-difference.ts';
import { BARS_FORMAT, type Passport, PASSPORT_FORMAT, type PassportBars, type SeriesOf } from './passport.ts';
import { sha256Hex } from './sha256.ts';

const HASHED_PARTS = ['engine', 'definition', 'data', 'costs', 'result'] as const;
/**
 * model: whether the scores that went in are the model's own; only where there is one. passport: whether all that is
 * stated is as it was issued; only where there is a passport to read.
 */
export const EVIDENCE_PARTS = [...HASHED_PARTS, 'model', 'passport'] as const;
export type EvidencePart = (typeof EVIDENCE_PARTS)[number];

export type PartVerdict = {
  readonly part: EvidencePart;
  readonly stated: string;
  /** Null where it could not be computed. */
  readonly computed: string | null;
  readonly agrees: boolean;
  /** What differs, as a sentence; null when all agrees. */
  readonly reason: string | null;
};

export type Verification = { readonly verified: boolean; readonly parts: readonly PartVerdict[] };

/** `engine` is the hash of the engine that runs here. */
export function verifyPassport(passport: Passport, bars: PassportBars, engine: string): Verification {
  const { hashes } = passport;
  const input = inputOf(passport, bars);
  if (typeof input === 'string') return refused(hashes, input);
  const computed = inputHashes(input, engine);
  const { engine_version: version = FIRST_ENGINE_VERSION } = passport;
  // What it says stays as it is: another engine has nothing to say about it.
  const run =
    version === ENGINE_VERSION
      ? attempt(input, engine)
      : `It was computed by ${version}. This is ${ENGINE_VERSION}, which gives other figures, so it is not run again here.`;
  const parts: PartVerdict[] = (['engine', 'definition', 'data', 'costs'] as const).map((part) => {
    const agrees = hashes[part] === computed[part];
    return {
      part,
      stated: hashes[part],
      computed: computed[part],
      agrees,
      reason: agrees ? null : REASONS[part],
    };
  });
  const { engine: e, definition, data, costs } = hashes;
  const resultReason =
    typeof run === 'string'
      ? run
      : inputHash({ engine: e, definition, data, costs }) === hashes.input
        ? resultDifference(passport, run)
        : 'The stated hash of all inputs together does not follow from the stated parts.';
  parts.push({
    part: 'result',
    stated: hashes.result,
    computed: typeof run === 'string' ? null : run.hashes.result,
    agrees: resultReason === null,
    reason: resultReason,
  });
  return { verified: parts.every(({ agrees }) => agrees), parts };
}

const REASONS = {
  engine: 'The result was computed by another version of the engine than the one that runs here.',
  definition: 'The rules are not the ones whose hash is stated.',
  data: 'The prices are not the ones whose hash is stated.',
  costs: 'The costs or terms are not the ones whose hash is stated.',
} as const;

type RunPassport = Pick<Passport, 'format' | 'definition' | 'costs'>;
type RunBars = {
  readonly format: string;
  readonly series: readonly SeriesOf<ArrayLike<number>, ArrayLike<number | null>>[];
};

/** What the engine is given, or why it cannot be. */
export function inputOf(passport: RunPassport, bars: RunBars): EvidenceRunInput | string {
  if (passport.format !== PASSPORT_FORMAT) return `This is no passport of the format ${PASSPORT_FORMAT}.`;
  if (bars.format !== BARS_FORMAT) return `The prices are not in the format ${BARS_FORMAT}.`;
  const parsed = parseDefinition(passport.definition);
  if (!parsed.ok) {
    const [first] = parsed.errors;
    return `The rules cannot be read: ${first?.path ?? ''} ${first?.message ?? ''}.`;
  }
  const { instruments, series, scores } = barsAsRead(bars);
  const modelled = scores.size > 0 ? { scores } : {};
  return { definition: parsed.definition, instruments, series, settings: passport.costs, ...modelled };
}

/** The bars as the engine reads them, with the scores that came with them. */
export function barsAsRead(bars: Pick<RunBars, 'series'>): {
  readonly instruments: ReadonlyMap<Symbol, Instrument>;
  readonly series: ReadonlyMap<Symbol, BarSeries>;
  readonly scores: ReadonlyMap<Symbol, Float64Array>;
} {
  const instruments = new Map<Symbol, Instrument>();
  const series = new Map<Symbol, BarSeries>();
  const scores = new Map<Symbol, Float64Array>();
  for (const one of bars.series) {
    const { symbol } = one.instrument;
    instruments.set(symbol, one.instrument);
    series.set(symbol, {
      symbol,
      interval: one.interval,
      length: one.closed_at.length,
      closedAt: Float64Array.from(one.closed_at),
      open: Float64Array.from(one.open),
      high: Float64Array.from(one.high),
      low: Float64Array.from(one.low),
      close: Float64Array.from(one.close),
      volume: Float64Array.from(one.volume),
      ...(one.interval === '1d' ? {} : { barsPerDay: barsPerDay(one.interval, one.instrument.calendar) }),
      ...(one.actions === undefined ? {} : { actions: one.actions }),
    });
    if (one.scores !== undefined)
      scores.set(
        symbol,
        Float64Array.from(one.scores, (score) => score ?? Number.NaN),
      );
  }
  return { instruments, series, scores };
}

/** The run, or why there is none: prices that were tampered with may be ones that no engine accepts. */
function attempt(input: EvidenceRunInput, engine: string): EvidenceRun | string {
  try {
    return runEvidence(input, engine) ?? 'The prices are too few for a result.';
  } catch (error) {
    return `The engine refused the input: ${error instanceof Error ? error.message : String(error)}.`;
  }
}

function resultDifference(passport: Passport, { shown, hashes }: EvidenceRun): string | null {
  const figure =
    firstDifference(passport.figures, shown.figures) ?? firstDifference(passport.samples, shown.samples);
  if (figure !== null)
    return `The figure ${figure.place} is stated as ${figure.left} and comes out as ${figure.right}.`;
  if (sha256Hex(canonicalJson(shown.series)) !== passport.shown.series)
    return 'The daily values shown are not the ones that come out.';
  if (sha256Hex(canonicalJson(shown.trades)) !== passport.shown.trades)
    return 'The trades shown are not the ones that come out.';
  return hashes.result === passport.hashes.result
    ? null
    : 'The run ends in other values than the ones stated.';
}

function refused(hashes: Passport['hashes'], reason: string): Verification {
  const parts = HASHED_PARTS.map((part) => ({
    part,
    stated: hashes[part],
    computed: null,
    agrees: false,
    reason,
  }));
  return { verified: false, parts };
}
