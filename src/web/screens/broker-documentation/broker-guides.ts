/** The four brokers of the documentation (specification sections 2 and 3). */
export type BrokerGuide = {
  readonly name: string;
  readonly status: 'available' | 'coming_soon';
  readonly about: string;
  readonly supportedAssets: readonly string[];
  readonly features: readonly string[];
};

export const BROKER_GUIDES: readonly [BrokerGuide, ...BrokerGuide[]] = [
  {
    name: 'Interactive Brokers',
    status: 'available',
    about: 'An international brokerage for many kinds of assets, with accounts in most countries.',
    supportedAssets: ['Stocks', 'Options', 'Futures', 'Forex', 'Bonds'],
    features: [
      'Orders, fills and positions are reconciled with the broker’s own records',
      'Sign-in at the broker’s page: we never see your password',
      'Several strategies can share one account',
      'Access can be revoked at the broker at any time',
    ],
  },
  {
    name: 'Alpaca',
    status: 'coming_soon',
    about: 'A US broker for stocks, ETFs and crypto.',
    supportedAssets: ['Stocks', 'ETFs', 'Crypto'],
    features: ['Commission-free US stocks and ETFs', 'Fractional shares', 'Crypto around the clock'],
  },
  {
    name: 'TradeStation',
    status: 'coming_soon',
    about: 'A US broker with its own trading platform.',
    supportedAssets: ['Stocks', 'Options', 'Futures', 'Forex'],
    features: ['Options and futures in one account', 'Advanced order types', 'Detailed statements'],
  },
  {
    name: 'Zerodha',
    status: 'coming_soon',
    about: 'An Indian discount broker.',
    supportedAssets: ['Stocks', 'Derivatives', 'Commodities', 'Currency'],
    features: ['Indian exchanges', 'Low fixed commissions', 'Sign-in with two factors'],
  },
];
