// Why the grammar's reading stands although there is a language model. Nothing that was typed is lost in any of these cases.

/** How a call to a model can fail. */
const MODEL_FAILURES = [
  'refused',
  'truncated',
  'malformed',
  'unreachable',
  'too_slow',
  'over_limit',
  'denied',
] as const;

export const GRAMMAR_REASONS = ['calls', 'tokens', 'money', 'busy', 'unfit', ...MODEL_FAILURES] as const;
export type GrammarReason = (typeof GRAMMAR_REASONS)[number];

const TOMORROW = 'The grammar reads alone until midnight (UTC).';
const STANDS = 'The reading of the grammar stands.';

const SENTENCES: Readonly<Record<GrammarReason, string>> = {
  calls: `You have used all readings by the language model for today. ${TOMORROW}`,
  tokens: `This text and today’s readings are more than the language model may read for you in a day. ${TOMORROW}`,
  money: `What the language model may cost for you today is spent. ${TOMORROW}`,
  busy: `The language model is busy with the texts of others. ${STANDS} Try again in a minute.`,
  unfit: `The language model proposed nothing that the rules of a strategy allow. ${STANDS}`,
  refused: `The language model declined to answer. ${STANDS}`,
  truncated: `The answer of the language model was too long. ${STANDS}`,
  malformed: `The language model answered something that is no strategy. ${STANDS}`,
  unreachable: `The language model cannot be reached. ${STANDS} Try again later.`,
  too_slow: `The language model took too long. ${STANDS} Try again later.`,
  over_limit: `The language model takes no more for now. ${STANDS} Try again in a minute.`,
  denied: `The language model does not accept this installation. ${STANDS} Its operator can mend that.`,
};

export function grammarReason(code: string): string {
  return SENTENCES[code as GrammarReason] ?? STANDS;
}

/** How a call to a model can end. */
export const MODEL_OUTCOMES = ['object', ...MODEL_FAILURES] as const;
