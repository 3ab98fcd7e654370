// Runs the model of a passport again and checks that it gives the scores behind the result. The definition names the
// files by hash, so a file with a changed byte is a different definition.
import type { ScoreColumns } from '../model/score-columns.ts';
import { type RunModel, scoreWith } from '../model/score-with.ts';
import { canonicalJson } from './canonical-json.ts';
import { scoresOf } from './fingerprints.ts';
import type { Passport, PassportBars } from './passport.ts';
import { sha256Hex } from './sha256.ts';
import { inputOf, type PartVerdict, type Verification } from './verify-passport.ts';

/** The verification with the verdict on the model's scores; the same where there is no model to run. */
export async function verifyScores(
  verification: Verification,
  { passport, bars }: { readonly passport: Passport; readonly bars: PassportBars },
  run: RunModel,
): Promise<Verification> {
  const input = inputOf(passport, bars);
  if (typeof input === 'string' || input.definition.model === undefined) return verification;
  const stated = hashOf(input.scores ?? new Map());
  let verdict: PartVerdict;
  try {
    const computed = hashOf(await scoreWith(run, input.definition, input.series));
    const agrees = stated === computed;
    verdict = { part: 'model', stated, computed, agrees, reason: agrees ? null : DIFFERENT };
  } catch (error) {
    const reason = `The model could not be run: ${error instanceof Error ? error.message : String(error)}.`;
    verdict = { part: 'model', stated, computed: null, agrees: false, reason };
  }
  return {
    verified: verification.verified && verdict.agrees,
    parts: [...verification.parts, verdict],
  };
}

function hashOf(scores: ScoreColumns): string {
  return sha256Hex(
    canonicalJson(Object.fromEntries([...scores].map(([symbol, column]) => [symbol, scoresOf(column)]))),
  );
}

const DIFFERENT = 'The scores that the result rests on are not the ones that the model gives.';
