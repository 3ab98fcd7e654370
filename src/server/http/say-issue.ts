import type { z } from 'zod';

type Issue = z.core.$ZodRawIssue;

/** Describes a field error in a sentence for the sender, when the contract has no text of its own. */
export function sayIssue(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? 'This field is required'
        : `Must be ${KINDS[String(issue.expected)] ?? `a value of type ${issue.expected}`}`;
    case 'too_big':
      return `Must be at most ${amount(issue.maximum, issue.origin)}`;
    case 'too_small':
      return `Must be at least ${amount(issue.minimum, issue.origin)}`;
    case 'invalid_value':
      return `Must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`;
    case 'unrecognized_keys':
      return `Unknown field: ${issue.keys.join(', ')}`;
    case 'not_multiple_of':
      return `Must be a multiple of ${issue.divisor}`;
    default:
      return 'This has an invalid format';
  }
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object with fields',
  array: 'a list',
  record: 'an object with fields',
  file: 'a file',
};

function amount(bound: number | bigint, origin: string): string {
  if (origin === 'string') return `${bound} characters`;
  if (origin === 'array' || origin === 'set') return `${bound} entries`;
  return String(bound);
}
