import { expect, test } from 'vitest';
import { readEnvironment } from './environment.ts';

const ALPACA = { BROKER: 'alpaca', BROKER_BASE_URL: 'http://127.0.0.1:3200' };

test('Alpaca is accepted with a stand-in on this machine', () => {
  for (const url of ['http://127.0.0.1:3200', 'http://localhost:3200', 'http://[::1]:3200'])
    expect(readEnvironment({ ...ALPACA, BROKER_BASE_URL: url }).broker.choice).toBe('alpaca');
});

test('no order of a simulated or replayed market may reach the real Alpaca', () => {
  const real = [
    'https://api.alpaca.markets',
    'https://paper-api.alpaca.markets',
    'http://127.0.0.1.example.test',
    'http://localhost.example.test',
    'not an address',
    '',
  ];
  for (const url of real)
    expect(() => readEnvironment({ ...ALPACA, BROKER_BASE_URL: url })).toThrow(
      'BROKER=alpaca would trade real orders on simulated prices, because MARKET is sandbox.',
    );
  expect(() =>
    readEnvironment({
      ...ALPACA,
      BROKER_BASE_URL: 'https://api.alpaca.markets',
      MARKET: 'replay',
      REPLAY_FROM: '2010-01-04',
    }),
  ).toThrow('past prices, because MARKET is replay');
});

test('an unknown broker is refused with the names of the known ones', () => {
  expect(() => readEnvironment({ BROKER: 'oanda' })).toThrow(
    'BROKER must be one of sandbox, interactive-brokers, alpaca, not "oanda"',
  );
});
