// The attacks on a strategy version that a person requested. The runs of the version itself, under harder terms or elsewhere, select
// nothing, so they do not count as tries; its neighbours do, because who has seen them can change to the best of them.
import type { BacktestResult } from '#engine/backtest/result.ts';
import type { BacktestInput } from '#engine/backtest/settings.ts';
import type { AttackCode, NotRunReason } from '#engine/evidence/attack/attack-result.ts';
import { transplants } from '#engine/evidence/attack/other-instruments.ts';
import { runAttacks } from '#engine/evidence/attack/run-attacks.ts';
import { verdictOf } from '#engine/evidence/attack/verdict.ts';
import { canonicalJson } from '#engine/evidence/canonical-json.ts';
import { inputHashes, type InputHashes } from '#engine/evidence/fingerprints.ts';
import { sha256Hex } from '#engine/evidence/sha256.ts';
import { searchKind } from '#engine/evidence/trial-family.ts';
import { weeklyGrowth } from '#engine/evidence/weekly-growth.ts';
import { scoreBars } from '#engine/model/score-bars.ts';
import { returnsOf } from '#engine/performance/returns.ts';
import { uniforms } from '#engine/rehearsal/block-bootstrap.ts';
import { saveAttack } from '#records/results/attacks.ts';
import { findNewestBacktest } from '#records/results/backtests.ts';
import { addTrial } from '#records/results/trials.ts';
import { listVariantSharpes } from '#records/results/variant-studies.ts';
import { attackName } from '#rules/reasons/attack-reason.ts';
import { resultReason } from '#rules/reasons/result-reason.ts';
import type { Reached } from './backtest-draft.ts';
import { gradeStored, regradeSearch } from './grade-result.ts';
import { publishedCosts } from './publish-result.ts';
import { type Asked, type CommittedVersion, measured, readSeries, type ResultTools } from './renew-result.ts';
import { inSampleSeries, studyVariants } from './study-variants.ts';

type AttackAnswer =
  | { readonly ok: true; readonly tries: number }
  | { readonly ok: false; readonly message: string };

export async function attackDraft(
  tools: ResultTools,
  version: CommittedVersion,
  { asked, reached }: { readonly asked: Asked; readonly reached: Reached },
): Promise<AttackAnswer> {
  const { database, now, engine } = tools;
  const newest = await findNewestBacktest(database, version.versionId);
  if (newest === undefined) return { ok: false, message: resultReason('attack_without_result') };
  reached(0, attackName('neighbours'));
  await studyVariants(tools, version, () => Promise.resolve());
  await regradeSearch(database, version.strategyId);
  const evidence = await gradeStored(database, version, newest.id);
  const { whole, known, hashes } = await readInputs(tools, version);
  const random = uniforms(Number.parseInt(hashes.input.slice(0, 8), 16));
  const runs: AttackRun[] = [];
  const results = runAttacks(
    {
      known,
      whole,
      committedAt: version.committedAt,
      deflatedSharpe: evidence.deflatedSharpe,
      neighbours: await listVariantSharpes(database, version.versionId),
      others: await inputsElsewhere(tools, version, random),
      isSimulated: tools.source === 'sandbox',
      random,
    },
    {
      reached: (code, share) => reached(STUDIED + (1 - STUDIED) * share, attackName(code)),
      ran: (code, result) => runs.push({ code, result }),
    },
  );
  await countRuns(tools, version, { runs, asked, hashes });
  const tries = evidence.family.counted;
  await saveAttack(database, asked.jobId, {
    versionId: version.versionId,
    definitionHash: hashes.definition,
    engineHash: engine,
    dataHash: hashes.data,
    verdict: verdictOf(results),
    results,
    tries,
    at: now,
  });
  return { ok: true, tries };
}

/** The share of the work that is done once the neighbours have been run. */
const STUDIED = 0.3;

type AttackRun = { readonly code: AttackCode; readonly result: BacktestResult };

type Inputs = {
  readonly whole: BacktestInput;
  readonly known: BacktestInput;
  readonly hashes: InputHashes;
};

async function readInputs(tools: ResultTools, version: CommittedVersion): Promise<Inputs> {
  const { instruments, models, engine } = tools;
  const { definition, committedAt } = version;
  const series = await readSeries(tools, definition);
  const settings = publishedCosts(tools, committedAt);
  const whole = {
    definition,
    instruments,
    series,
    settings,
    scores: await scoreBars(models, definition, series),
  };
  const before = inSampleSeries(series, version);
  const known = { ...whole, series: before, scores: await scoreBars(models, definition, before) };
  return { whole, known, hashes: inputHashes(whole, engine) };
}

/** On the same days. */
async function inputsElsewhere(
  tools: ResultTools,
  version: CommittedVersion,
  random: () => number,
): Promise<readonly BacktestInput[] | NotRunReason> {
  const { instruments } = tools;
  const found = transplants(version.definition, [...instruments.values()], random);
  if (typeof found === 'string') return found;
  const settings = publishedCosts(tools, version.committedAt);
  const inputs: BacktestInput[] = [];
  for (const definition of found) {
    const series = inSampleSeries(await readSeries(tools, definition), version);
    const isListed = definition.universe.every((symbol) => (series.get(symbol)?.length ?? 0) > 0);
    if (isListed) inputs.push({ definition, instruments, series, settings });
  }
  return inputs;
}

type Counted = { readonly runs: readonly AttackRun[]; readonly asked: Asked; readonly hashes: InputHashes };

/** Every run of the rules is in the ledger; a job that is begun again writes none of them twice. */
async function countRuns(
  { database, instruments, now }: ResultTools,
  version: CommittedVersion,
  { runs, asked, hashes }: Counted,
): Promise<void> {
  for (const [number, { code, result }] of runs.entries())
    await addTrial(database, {
      ...searchKind(version.definition, instruments),
      strategyId: version.strategyId,
      versionId: version.versionId,
      definitionHash: hashes.definition,
      inputHash: sha256Hex(canonicalJson({ attack: code, number, input: hashes.input })),
      dataHash: hashes.data,
      purpose: 'attack',
      by: { kind: 'person', userId: asked.userId, run: { jobId: asked.jobId, number } },
      at: now,
      outcome: measured(returnsOf(result.equity), weeklyGrowth(result, version.committedAt)),
    });
}
