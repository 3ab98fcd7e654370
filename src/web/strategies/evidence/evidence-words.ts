import type { Evidence, EvidenceGrade } from '#contract/strategies/evidence.ts';
import type { BadgeTone } from '../../kit/state/badge.tsx';

/** The grade in one or two words, for a card and a badge. */
export const GRADE_WORDS: Readonly<Record<EvidenceGrade, string>> = {
  supported: 'supported',
  possible: 'fair',
  unsupported: 'weak',
  loss: 'a loss',
  contradicted: 'contradicted',
  too_short: 'too short to say',
};

/** What the grade means, as a sentence. */
export const GRADE_SENTENCES: Readonly<Record<EvidenceGrade, string>> = {
  supported: 'Luck is an unlikely explanation for this result.',
  possible: 'Promising, but it may still be luck.',
  unsupported: 'No skill is shown: it could easily be luck, or its market.',
  loss: 'It has lost money.',
  contradicted: 'Results since the rules were fixed are worse.',
  too_short: 'The record is too short to judge.',
};

/** Whose prices the figures are of. */
export const WORLD_WORDS: Readonly<Record<Evidence['world'], string>> = {
  simulated: 'Simulated prices',
  replayed: 'Past prices, replayed',
  live: 'Real past prices',
};

/** Brass only where the evidence holds; caution where it contradicts the result. */
export const GRADE_TONES: Readonly<Record<EvidenceGrade, BadgeTone>> = {
  supported: 'brass',
  possible: 'neutral',
  unsupported: 'caution',
  loss: 'caution',
  contradicted: 'caution',
  too_short: 'neutral',
};
