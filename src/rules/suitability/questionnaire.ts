// The risk questionnaire: six questions, each option with its score (specification, section 9). Promises closed lists:
// an answer outside them is not an answer.

export const QUESTION_IDS = [
  'investment_experience',
  'investment_objective',
  'time_horizon',
  'risk_tolerance',
  'financial_situation',
  'portfolio_allocation',
] as const;
export type QuestionId = (typeof QUESTION_IDS)[number];

type AnswerOption = { readonly value: string; readonly label: string; readonly score: number };

export type Question = {
  readonly id: QuestionId;
  /** The short name that the summary shows. */
  readonly name: string;
  readonly text: string;
  readonly options: readonly AnswerOption[];
};

export const QUESTIONS: readonly Question[] = [
  {
    id: 'investment_experience',
    name: 'Experience',
    text: 'How much experience do you have with investing?',
    options: [
      { value: 'beginner', label: 'Beginner: I have invested little or not at all', score: 1 },
      { value: 'intermediate', label: 'Intermediate: I have held shares or funds for some years', score: 2 },
      { value: 'advanced', label: 'Advanced: I trade regularly and know leveraged products', score: 3 },
    ],
  },
  {
    id: 'investment_objective',
    name: 'Investment objective',
    text: 'What should this money do for you?',
    options: [
      { value: 'capital_preservation', label: 'Capital preservation: losing little matters most', score: 1 },
      { value: 'income_generation', label: 'Income: a steady return with moderate swings', score: 2 },
      { value: 'growth', label: 'Growth: more return, and larger swings on the way', score: 3 },
      {
        value: 'speculation',
        label: 'Speculation: the highest return, and large losses are possible',
        score: 4,
      },
    ],
  },
  {
    id: 'time_horizon',
    name: 'Time horizon',
    text: 'When will you need this money?',
    options: [
      { value: 'short_term', label: 'In less than 2 years', score: 1 },
      { value: 'medium_term', label: 'In 2 to 5 years', score: 2 },
      { value: 'long_term', label: 'In more than 5 years', score: 3 },
    ],
  },
  {
    id: 'risk_tolerance',
    name: 'Reaction to a loss',
    text: 'Your investment loses 20% within a month. What do you do?',
    options: [
      { value: 'sell_immediately', label: 'Sell at once to stop the loss', score: 1 },
      { value: 'monitor_closely', label: 'Keep it and watch it closely', score: 2 },
      { value: 'buy_more', label: 'Buy more at the lower price', score: 3 },
    ],
  },
  {
    id: 'financial_situation',
    name: 'Financial situation',
    text: 'How would you describe your financial situation?',
    options: [
      { value: 'uncertain', label: 'Uncertain: my income or my costs may change for the worse', score: 1 },
      { value: 'stable', label: 'Stable: my income covers my costs', score: 2 },
      { value: 'growing', label: 'Growing: my income leaves more to save each year', score: 3 },
    ],
  },
  {
    id: 'portfolio_allocation',
    name: 'Share of your savings',
    text: 'How much of your savings do you want to invest here?',
    options: [
      { value: 'major_portion', label: 'A major portion: more than 50%', score: 1 },
      { value: 'moderate_portion', label: 'A moderate portion: 20% to 50%', score: 2 },
      { value: 'small_portion', label: 'A small portion: less than 20%', score: 3 },
    ],
  },
];

/** The option of a question with this value, or undefined when the question has none. */
export function findOption(question: QuestionId, value: string): AnswerOption | undefined {
  return QUESTIONS.find((one) => one.id === question)?.options.find((option) => option.value === value);
}
