// A market with well-known instruments of all kinds, for the tests and the measurement of the reader.
import type { NamedInstrument } from '#rules/strategy-builder/reading/market-names.ts';

const KINDS: readonly (readonly [NamedInstrument['kind'], string])[] = [
  [
    'equity',
    'SPY SPDR S&P 500 ETF Trust; QQQ Invesco QQQ Trust; IWM iShares Russell 2000 ETF; TLT iShares 20+ Year Treasury Bond ETF; ' +
      'GLD SPDR Gold Shares; AAPL Apple Inc.; MSFT Microsoft Corporation; NVDA NVIDIA Corporation; AMZN Amazon.com, Inc.; ' +
      'GOOGL Alphabet Inc.; META Meta Platforms, Inc.; TSLA Tesla, Inc.; KO Coca-Cola Company; PEP PepsiCo, Inc.; ' +
      'XOM Exxon Mobil Corporation; CVX Chevron Corporation; JPM JPMorgan Chase & Co.; BAC Bank of America Corporation',
  ],
  [
    'forex',
    'EURUSD Euro / US dollar; GBPUSD British pound / US dollar; USDJPY US dollar / Japanese yen; ' +
      'AUDUSD Australian dollar / US dollar; USDCHF US dollar / Swiss franc',
  ],
  ['crypto', 'BTCUSD Bitcoin / US dollar; ETHUSD Ethereum / US dollar; SOLUSD Solana / US dollar'],
  [
    'futures',
    'ES E-mini S&P 500, continuous; GC Gold, continuous; CL Crude oil, continuous; ZN 10-Year Treasury Note, continuous',
  ],
];

export const MARKET: readonly NamedInstrument[] = KINDS.flatMap(([kind, list]) =>
  list.split('; ').map((one) => {
    const [symbol = '', ...name] = one.split(' ');
    return { symbol, name: name.join(' '), kind };
  }),
);
