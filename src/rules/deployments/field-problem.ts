// One thing that is wrong with one field of a request, in words that the person reads beside it.

export const FIELD_PROBLEM_CODES = ['not_a_number', 'below_minimum', 'above_maximum', 'too_precise'] as const;
export type FieldProblemCode = (typeof FIELD_PROBLEM_CODES)[number];

export type FieldProblem = {
  readonly field: string;
  readonly code: FieldProblemCode;
  readonly message: string;
};
