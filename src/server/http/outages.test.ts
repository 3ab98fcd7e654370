import { expect, test } from 'vitest';
import { asRefused } from './answer-errors.ts';

test.each([
  // The driver's own words, and PostgreSQL's on a standby.
  { message: 'Client has encountered a connection error and is not queryable' },
  { message: 'timeout expired' },
  { message: 'Connection terminated unexpectedly' },
  { message: 'recovery is in progress', code: '55000' },
  { message: 'cannot execute UPDATE in a read-only transaction', code: '25006' },
  { message: 'connect EHOSTUNREACH 100.64.0.1:5432', code: 'EHOSTUNREACH' },
  { message: 'the database has not answered for 20 seconds', code: 'ETIMEDOUT' },
])('a database that moves to another host is an outage, not a fault of ours: $message', (error) => {
  expect(asRefused(Object.assign(new Error(error.message), error) as never).code).toBe('unavailable');
});

test('any other error is ours', () => {
  expect(asRefused(new Error('cannot read property') as never).code).toBe('internal_error');
});
