import type { EvidenceGrade } from '#contract/evidence.ts';
import type { BadgeTone } from '../../kit/state/badge.tsx';

/** The grade in one or two words, for a card and a badge. */
export const GRADE_WORDS: Readonly<Record<EvidenceGrade, string>> = {
  supported: 'supported',
  possible: 'fair',
  unsupported: 'weak',
  contradicted: 'contradicted',
  too_short: 'too short to say',
};

/** What the grade means, as a sentence. */
export const GRADE_SENTENCES: Readonly<Record<EvidenceGrade, string>> = {
  supported: 'Luck is an unlikely explanation for this result.',
  possible: 'Good on its own, but luck is not ruled out.',
  unsupported: 'Not good enough to tell it from luck, even taken alone.',
  contradicted: 'What came after the rules were fixed speaks against it.',
  too_short: 'The record is too short to say anything.',
};

/** Brass only where the evidence holds; caution where it speaks against the result. */
export const GRADE_TONES: Readonly<Record<EvidenceGrade, BadgeTone>> = {
  supported: 'brass',
  possible: 'neutral',
  unsupported: 'caution',
  contradicted: 'caution',
  too_short: 'neutral',
};
