// Replays what a model answered to the same closes in each form: plain, without names and dates, and with other numbers. A model that
// decides by the numbers decides alike; one that knows what came does not, and earns less where it could not know.
import { deciderOf } from '#engine/decider/decider-rule.ts';
import { QUESTION_FORMS } from '#engine/decider/decision-questions.ts';
import { apartBy } from '#engine/decider/read-answer.ts';
import type { RecordedDecisionOfModel } from '#engine/decider/recorded-answers.ts';
import { listModelDecisions, meanAgreement } from '#records/deciders/model-decisions.ts';
import { saveProbe } from '#records/deciders/model-record.ts';
import { columnsOfAnswers } from './recorded-columns.ts';
import { type CommittedVersion, readSeries, type ResultTools } from './renew-result.ts';
import { publishResult } from './publish-result.ts';

/** Of the closes until the commit: those after it are asked about in the form that decides alone. */
export async function probeRecord(tools: ResultTools, version: CommittedVersion): Promise<void> {
  const { definition, versionId, committedAt: through } = version;
  if (deciderOf(definition) === null) return;
  const { database, instruments, engine, feePercent, now: at } = tools;
  const series = await readSeries(tools, definition);
  const plain = await listModelDecisions(database, versionId, { through });
  for (const form of QUESTION_FORMS) {
    const decisions = await listModelDecisions(database, versionId, { form, through });
    const published = publishResult({
      ...version,
      instruments,
      series,
      engine,
      feePercent,
      ...columnsOfAnswers(definition, series, decisions),
    });
    await saveProbe(database, versionId, {
      form,
      decisions: decisions.length,
      knownAnnualReturn: published?.stored.samples.known?.gross.annualReturn ?? null,
      annualReturn: published?.stored.samples.whole.gross.annualReturn ?? null,
      sharpe: published?.stored.samples.whole.gross.sharpe ?? null,
      alike: alikeOf(plain, decisions),
      agreement: await meanAgreement(database, versionId, { form, through }),
      at,
    });
  }
}

function alikeOf(
  plain: readonly RecordedDecisionOfModel[],
  other: readonly RecordedDecisionOfModel[],
): number | null {
  const known = new Map(plain.map(({ asOf, weights }) => [asOf, weights]));
  let sum = 0;
  let count = 0;
  for (const { asOf, weights } of other) {
    const before = known.get(asOf);
    if (weights === null || before === undefined || before === null) continue;
    const symbols = Object.keys(before);
    const sharesOf = (of: { readonly [symbol: string]: number }) => symbols.map((symbol) => of[symbol] ?? 0);
    sum += 1 - apartBy(sharesOf(before), sharesOf(weights), 1);
    count++;
  }
  return count === 0 ? null : sum / count;
}
