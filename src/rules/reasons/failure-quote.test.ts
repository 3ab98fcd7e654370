import { constants } from 'node:os';
import { expect, it } from 'vitest';
import { BROKER_FAILURE_CODES } from '#engine/execution/connection/broker-failure.ts';
import { failureQuote } from './failure-quote.ts';

it.each([
  ['connect ECONNREFUSED 127.0.0.1:5432', 'the connection was refused'],
  ['connect ECONNREFUSED ::1:5432', 'the connection was refused'],
  ['getaddrinfo ENOTFOUND db.example.test', 'the address could not be found'],
  [
    'orders: unreachable: no answer from the broker: UND_ERR_SOCKET',
    'orders: no answer from the broker: the connection broke off',
  ],
  ['unreachable: HTTP 503', 'the server has a fault'],
  ['rate_limited: HTTP 429', 'too many requests at once'],
  [
    'the market feed did not answer: TypeError: fetch failed',
    'the market feed did not answer: the connection failed',
  ],
  ['read ECONNRESET', 'the connection broke off'],
  ['The operation was aborted due to timeout', 'no answer came in time'],
  ['ENOSPC: no space left on device, write', 'the disk is full'],
  ['unable: DEPTH_ZERO_SELF_SIGNED_CERT', 'unable: the certificate of the server is not valid'],
  ['<h4>Order Value Limit</h4>The order &amp; more', 'Order Value Limit The order & more'],
  ['<html><head><title>503</title></head></html>', '503'],
  ['row 3 has no side', 'row 3 has no side'],
  ['EXPIRED', 'EXPIRED'],
])('%s reads: %s', (said, words) => {
  expect(failureQuote(said)).toBe(words);
});

it('has words for every error of the operating system, every status and every code of ours', () => {
  const statuses = Array.from({ length: 500 }, (_, at) => `HTTP ${at + 100}`);
  const sockets = ['UND_ERR_SOCKET', 'UND_ERR_ABORTED', 'ERR_TLS_CERT_ALTNAME_INVALID', 'CERT_HAS_EXPIRED'];
  for (const technical of [...Object.keys(constants.errno), ...statuses, ...sockets]) {
    const quote = failureQuote(`orders: ${technical}`);
    expect(quote, technical).toMatch(/^orders: [a-z][a-z ]+$/);
  }
  for (const code of BROKER_FAILURE_CODES)
    expect(failureQuote(`orders: ${code}: no answer`)).toBe('orders: no answer');
});

it('is silent where nothing is left to read', () => {
  expect(failureQuote('')).toBeNull();
  expect(failureQuote('<div></div>')).toBeNull();
});
