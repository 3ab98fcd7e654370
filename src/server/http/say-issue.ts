import type { z } from 'zod';

type Issue = z.core.$ZodRawIssue;

/** What is wrong with a field, as a sentence for whoever sent it, where the contract gives none of its own. */
export function sayIssue(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? 'This field is missing'
        : `Give ${KINDS[String(issue.expected)] ?? `a value of type ${issue.expected}`}`;
    case 'too_big':
      return `Give at most ${amount(issue.maximum, issue.origin)}`;
    case 'too_small':
      return `Give at least ${amount(issue.minimum, issue.origin)}`;
    case 'invalid_value':
      return `Choose ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`;
    case 'unrecognized_keys':
      return `There is no field ${issue.keys.join(', ')} here; leave it out`;
    case 'not_multiple_of':
      return `Give a multiple of ${issue.divisor}`;
    default:
      return 'This is not of the form that is asked for';
  }
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
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
