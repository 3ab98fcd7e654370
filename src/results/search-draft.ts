// A search for rules that meet a person's wishes: each candidate is run on all past days and written into the trial ledger, and the one
// that does best by them becomes the draft's newest version, with a result of its own.
import { randomUUID } from 'node:crypto';
import { inputHashes } from '#engine/evidence/fingerprints.ts';
import type { StrategyDefinition } from '#engine/strategy/definition.ts';
import { definitionHash } from '#engine/strategy/definition-hash.ts';
import { parseDefinition } from '#engine/strategy/parsing/parse-definition.ts';
import type { RuleSearch } from '#records/results/backtest-jobs.ts';
import { addVersion, lockDraft, setKindOfRules } from '#records/strategy-builder/strategy-drafts.ts';
import { resultReason } from '#rules/reasons/result-reason.ts';
import {
  judgeSearch,
  type Judged,
  searchProgress,
  type TriedFigures,
} from '#rules/strategy-builder/judge-search.ts';
import type { StrategyVersionId } from '#units/identifiers.ts';
import { backtestDraft, type DraftResult, type Reached } from './backtest-draft.ts';
import { publishedCosts, symbolsOfResult } from './publish-result.ts';
import {
  type Asked,
  type CommittedVersion,
  readSeries,
  type ResultTools,
  runCounted,
} from './renew-result.ts';

type Series = Awaited<ReturnType<typeof readSeries>>;

type Tried = Omit<RuleSearch['candidates'][number], 'definition'> & {
  readonly definition: StrategyDefinition;
};

type SearchAnswer =
  | {
      readonly ok: true;
      readonly result: Extract<DraftResult, { ok: true }>;
      readonly names: readonly string[];
      readonly figures: readonly (TriedFigures | null)[];
      readonly judged: Judged;
      readonly versionId: StrategyVersionId;
    }
  | { readonly ok: false; readonly message: string };

type AskedSearch = { readonly search: RuleSearch; readonly asked: Asked; readonly reached: Reached };

export async function searchDraft(
  tools: ResultTools,
  version: CommittedVersion,
  { search, asked, reached }: AskedSearch,
): Promise<SearchAnswer> {
  const candidates = search.candidates.flatMap(readCandidate);
  const figures: (TriedFigures | null)[] = [];
  const read = new Map<string, Promise<Series>>();
  const seriesOf = (definition: StrategyDefinition) => {
    // Candidates on the same instruments share their bars.
    const key = symbolsOfResult(definition, tools.instruments).toSorted().join(' ');
    const series = read.get(key) ?? readSeries(tools, definition);
    read.set(key, series);
    return series;
  };
  for (const [place, { definition }] of candidates.entries()) {
    reached((SEARCHED * place) / candidates.length, searchProgress(place, candidates.length));
    figures.push(
      await tryRules(
        tools,
        { ...version, definition },
        { asked, number: place + 1, series: await seriesOf(definition) },
      ),
    );
  }
  const judged = judgeSearch(figures, search.wishes);
  const chosen = candidates[judged.chosen];
  if (chosen === undefined) return { ok: false, message: resultReason('no_figures') };
  const kept = await keepRules(tools, version, chosen);
  if (kept === null) return { ok: false, message: resultReason('changed_meanwhile') };
  const result = await backtestDraft(tools, kept, {
    asked,
    // These rules were tried above: they count once.
    number: judged.chosen + 1,
    reached: (progress, message) => reached(SEARCHED + (1 - SEARCHED) * progress, message),
  });
  if (!result.ok) return result;
  const names = candidates.map(({ definition }) => definition.name);
  return { ok: true, result, names, figures, judged, versionId: kept.versionId };
}

/** The share of the work that is done once all candidates have been run. */
const SEARCHED = 0.8;

function readCandidate({ definition, ...about }: RuleSearch['candidates'][number]): Tried[] {
  const parsed = parseDefinition(definition);
  return parsed.ok ? [{ ...about, definition: parsed.definition }] : [];
}

/** Null where they cannot be run or measured; the ledger has the try all the same. */
async function tryRules(
  tools: ResultTools,
  version: CommittedVersion,
  { series, ...counted }: { readonly asked: Asked; readonly number: number; readonly series: Series },
): Promise<TriedFigures | null> {
  const settings = publishedCosts(tools, version.committedAt);
  const { definition } = version;
  const hashes = inputHashes({ definition, instruments: tools.instruments, series, settings }, tools.engine);
  try {
    const run = { version, hashes, purpose: 'search', ...counted } as const;
    const published = await runCounted(tools, run, { ...version, series });
    if (published === null) return null;
    const { annual_return, max_drawdown, sharpe_ratio } = published.stored.figures;
    return { annualReturn: annual_return, maxDrawdown: Math.abs(max_drawdown), sharpe: sharpe_ratio };
  } catch {
    return null;
  }
}

/**
 * As the draft's newest version. A job that is begun again finds it there. Null where its writer has changed the rules in the
 * meantime: theirs stay.
 */
async function keepRules(
  { database, now }: ResultTools,
  version: CommittedVersion,
  { definition, strategyType, sentence }: Tried,
): Promise<CommittedVersion | null> {
  const hash = definitionHash(definition);
  return database.transaction().execute(async (trx) => {
    const draft = await lockDraft(trx, version.strategyId);
    if (draft === undefined) return null;
    if (draft.definitionHash === hash)
      return { ...version, definition, versionId: draft.versionId, committedAt: draft.committedAt };
    if (draft.versionId !== version.versionId || draft.isTraded) return null;
    const id = randomUUID();
    await addVersion(trx, draft.id, { id, definition, hash, at: now });
    await setKindOfRules(trx, draft.id, { name: definition.name, sentence, strategyType });
    return { ...version, definition, versionId: id as string as StrategyVersionId, committedAt: now };
  });
}
