// What an attack does, what it found, and the verdict over all of them, as the person who requested it reads it.
import type {
  AttackCode,
  AttackFinding,
  AttackVerdict,
  NotRunReason,
} from '#engine/evidence/attack/attack-result.ts';

export function attackName(code: AttackCode): string {
  return ATTACK_WORDS[code].name;
}

/** What was asked of it. */
export function attackQuestion(code: AttackCode): string {
  return ATTACK_WORDS[code].question;
}

/** How figure and threshold are to be read. */
export function attackUnit(code: AttackCode): AttackUnit {
  return ATTACK_WORDS[code].unit;
}

/** probability and percent: of 1. ratio: a Sharpe ratio. */
export type AttackUnit = 'probability' | 'percent' | 'ratio';

const ATTACK_WORDS: Readonly<
  Record<AttackCode, { readonly name: string; readonly question: string; readonly unit: AttackUnit }>
> = {
  luck: {
    name: 'Luck of all tries',
    question: 'How likely is it that this is more than the luck of all your tries of this kind?',
    unit: 'probability',
  },
  double_costs: {
    name: 'Double costs',
    question: 'How much of its Sharpe ratio is left at twice the commission and slippage?',
    unit: 'percent',
  },
  bar_delay: {
    name: 'One bar late',
    question: 'How much of its Sharpe ratio is left when it trades one bar later?',
    unit: 'percent',
  },
  best_trades: {
    name: 'Without its best five trades',
    question: 'What do its closed trades earn without the best five?',
    unit: 'percent',
  },
  neighbours: {
    name: 'Neighbouring numbers',
    question: 'How much of its Sharpe ratio does the median neighbour of its numbers have?',
    unit: 'percent',
  },
  random_entries: {
    name: 'Random entries',
    question: 'How many of 99 runs with the same positions at random times does it beat?',
    unit: 'percent',
  },
  crises: {
    name: 'Crises',
    question: 'What did it return in the worst crisis that its prices cover?',
    unit: 'percent',
  },
  unseen_tail: {
    name: 'Unseen days',
    question: 'What is its Sharpe ratio since its rules were fixed?',
    unit: 'ratio',
  },
  other_instruments: {
    name: 'Other instruments',
    question: 'What is its Sharpe ratio on instruments of the same kind that it does not name?',
    unit: 'ratio',
  },
};

export function attackReason(finding: AttackFinding): string {
  switch (finding.outcome) {
    case 'survived':
      return 'It survived.';
    case 'failed':
      return 'It failed.';
    case 'not_run':
      return NOT_RUN[finding.reason];
    default:
      return finding satisfies never;
  }
}

const NOT_RUN: Readonly<Record<NotRunReason, string>> = {
  no_gain: 'It earned nothing to begin with, so there is nothing left to compare.',
  too_short: 'Its record is too short for it.',
  too_few_trades: 'It closed fewer than 20 trades.',
  too_few_neighbours: 'It has fewer than four neighbours, because there are hardly any numbers to move.',
  options_have_dates: 'Its options are tied to their dates and their shares.',
  too_few_days: 'Fewer than 63 days have been traded since its rules were fixed. It can be asked later.',
  simulated_prices: 'These prices are simulated, so none of the known crises is in them.',
  no_crisis_covered: 'Its prices cover none of the known crises from start to end.',
  mixed_kinds: 'It trades instruments of several kinds.',
  trained_on_its_own: 'Its model was trained on its own instruments.',
  no_others: 'There are too few other instruments of the same kind.',
  engine_refused: 'The rules cannot be run under these terms.',
};

export function attackVerdict(verdict: AttackVerdict): { readonly word: string; readonly sentence: string } {
  return VERDICTS[verdict];
}

const VERDICTS: Readonly<Record<AttackVerdict, { readonly word: string; readonly sentence: string }>> = {
  withstood: {
    word: 'Withstood',
    sentence: 'No attack that could be run has beaten it. That is no promise: losses remain possible.',
  },
  doubtful: {
    word: 'Doubtful',
    sentence: 'One of the milder attacks has beaten it. Start with practice, or with little.',
  },
  do_not_deploy: {
    word: 'Do not deploy',
    sentence: 'An attack has beaten it that a real edge should survive. Most ideas end here.',
  },
  not_judged: {
    word: 'Not judged',
    sentence: 'Too few attacks could be run to say anything.',
  },
};
