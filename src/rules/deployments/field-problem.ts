// One thing that is wrong with one field of a request, in words that the person reads beside it.

export type FieldProblem = {
  readonly field: string;
  readonly code: 'not_a_number' | 'below_minimum' | 'above_maximum' | 'too_precise';
  readonly message: string;
};
