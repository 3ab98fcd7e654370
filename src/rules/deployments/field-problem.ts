// One problem with one field of a request, in the words shown next to it.

export type FieldProblem = {
  readonly field: string;
  readonly code: 'not_a_number' | 'below_minimum' | 'too_small' | 'above_maximum' | 'too_precise';
  readonly message: string;
};
