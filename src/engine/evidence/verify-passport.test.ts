import { describe, expect, it } from 'vitest';
import { instant } from '#units/instant.ts';
import { toMicro } from '#units/money.ts';
import { TRADING_COSTS } from '../market/costs.ts';
import {
  equityInstrument,
  instrumentMap,
  randomSeries,
  seriesMap,
} from '#tests/support/engine/random-market.ts';
import { SAMPLE_DEFINITIONS, SAMPLE_SYMBOLS } from '#tests/support/engine/sample-definitions.ts';
import { canonicalJson } from './canonical-json.ts';
import { type EvidenceRunInput, runEvidence } from './evidence-run.ts';
import type { Passport, PassportBars } from './passport.ts';
import { sha256Hex } from './sha256.ts';
import { type EvidencePart, verifyPassport } from './verify-passport.ts';

const ENGINE = sha256Hex('this engine');

const series = SAMPLE_SYMBOLS.map((symbol, i) => randomSeries({ symbol, seed: 40 + i, bars: 400 }));
const instruments = SAMPLE_SYMBOLS.map((symbol) => equityInstrument(symbol));
const input: EvidenceRunInput = {
  definition: SAMPLE_DEFINITIONS['trend']!,
  instruments: instrumentMap(...instruments),
  series: seriesMap(...series),
  settings: {
    initialCash: toMicro(100_000),
    costs: TRADING_COSTS,
    limits: { stopLossPercentage: 0, maxAllocationPercent: 0, freezeOnDrawdownPercent: 0 },
    collar: 0.03,
    noTradeBand: 0.005,
    performanceFeePercent: 30,
    committedAt: instant(series[0]!.closedAt[300]!),
  },
};

/** As it comes over the wire. */
function issued(): { passport: Passport; bars: PassportBars } {
  const run = runEvidence(input, ENGINE)!;
  const { shown, hashes } = run;
  const passport: Passport = {
    format: 'bellwether-evidence/1',
    hashes,
    definition: input.definition,
    costs: input.settings,
    figures: shown.figures,
    samples: shown.samples,
    shown: {
      series: sha256Hex(canonicalJson(shown.series)),
      trades: sha256Hex(canonicalJson(shown.trades)),
    },
  };
  const bars: PassportBars = {
    format: 'bellwether-bars/1',
    series: series.map((one, i) => ({
      instrument: instruments[i]!,
      interval: '1d' as const,
      closed_at: [...one.closedAt],
      open: [...one.open],
      high: [...one.high],
      low: [...one.low],
      close: [...one.close],
      volume: [...one.volume],
    })),
  };
  return JSON.parse(JSON.stringify({ passport, bars })) as { passport: Passport; bars: PassportBars };
}

type Writable<T> = T extends string | number | boolean | null | undefined
  ? T
  : { -readonly [K in keyof T]: Writable<T[K]> };
type Issued = Writable<ReturnType<typeof issued>>;

function differing(change: (issued: Issued) => void, engine = ENGINE): EvidencePart[] {
  const changed = issued() as Issued;
  change(changed);
  const { verified, parts } = verifyPassport(
    changed.passport as Passport,
    changed.bars as PassportBars,
    engine,
  );
  const found = parts.filter(({ agrees }) => !agrees);
  expect(verified).toBe(found.length === 0);
  for (const { reason } of found) expect(reason).toMatch(/\.$/);
  return found.map(({ part }) => part);
}

describe('a passport', () => {
  it('verifies an unchanged passport by computing every hash again', () => {
    const { passport, bars } = issued();
    const { verified, parts } = verifyPassport(passport, bars, ENGINE);
    expect(verified).toBe(true);
    expect(parts.map(({ part, computed }) => [part, computed])).toEqual([
      ['engine', ENGINE],
      ['definition', passport.hashes.definition],
      ['data', passport.hashes.data],
      ['costs', passport.hashes.costs],
      ['result', passport.hashes.result],
    ]);
    expect(passport.samples.outOfSample?.periods).toBe(99);
  });

  it('fails on the engine alone when another one runs here', () => {
    expect(differing(() => undefined, sha256Hex('another engine'))).toEqual(['engine']);
  });

  it('fails on the data when one price of one bar is another', () => {
    expect(differing(({ bars }) => (bars.series[1]!.close[50]! += 0.01))).toContain('data');
    expect(differing(({ bars }) => (bars.series[0]!.volume[7]! += 1))).toEqual(['data']);
    expect(differing(({ bars }) => void bars.series[2]!.close.splice(399, 1))).toContain('data');
    expect(differing(({ bars }) => (bars.series[3]!.instrument.multiplier = 2))).toContain('data');
  });

  it('fails on the definition when one number of the rules is another', () => {
    const found = differing(({ passport }) => {
      (passport.definition.features['fast'] as { length: number }).length = 6;
    });
    expect(found).toContain('definition');
    expect(found).not.toContain('data');
    expect(differing(({ passport }) => (passport.definition.notes += '.'))).toEqual(['definition']);
  });

  it('fails on the costs when trading or the fee is made cheaper, or the commit is moved', () => {
    expect(differing(({ passport }) => (passport.costs.costs.equity.commissionRate = 0))).toContain('costs');
    expect(differing(({ passport }) => (passport.costs.performanceFeePercent = 20))).toContain('costs');
    const moved = differing(({ passport }) => {
      (passport.costs as { committedAt: number }).committedAt -= 86_400_000;
    });
    expect(moved).toContain('costs');
  });

  it('fails on the result when a figure, the chart, a trade or the stated hash is another', () => {
    expect(differing(({ passport }) => (passport.figures.sharpe_ratio += 0.01))).toEqual(['result']);
    const nicer = differing(({ passport }) => (passport.samples.outOfSample!.gross.totalReturn = 0.5));
    expect(nicer).toEqual(['result']);
    expect(differing(({ passport }) => (passport.shown.series = sha256Hex('another')))).toEqual(['result']);
    expect(differing(({ passport }) => (passport.shown.trades = sha256Hex('another')))).toEqual(['result']);
    expect(differing(({ passport }) => (passport.hashes.result = sha256Hex('another')))).toEqual(['result']);
    expect(differing(({ passport }) => (passport.hashes.input = sha256Hex('another')))).toEqual(['result']);
  });

  it('names the figure that differs', () => {
    const { passport, bars } = issued() as Issued;
    passport.figures.total_trades += 1;
    const { parts } = verifyPassport(passport as Passport, bars as PassportBars, ENGINE);
    expect(parts.at(-1)?.reason).toMatch(/^The figure total_trades is stated as \d+ and comes out as \d+\.$/);
  });

  it('says so when the rules cannot be read or the prices make no sense to the engine', () => {
    const { passport, bars } = issued() as Issued;
    (passport.definition as { universe: unknown }).universe = 'everything';
    const { verified, parts } = verifyPassport(passport as Passport, bars as PassportBars, ENGINE);
    expect(verified).toBe(false);
    expect(parts[0]?.reason).toMatch(/^The rules cannot be read: universe/);
    expect(differing(({ bars: given }) => void given.series.splice(0, 1))).toContain('result');
  });
});
