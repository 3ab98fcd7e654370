/** The four brokers of the documentation (specification sections 2 and 3). */
export type BrokerGuide = {
  readonly name: string;
  readonly about: string;
  readonly supportedAssets: readonly string[];
  readonly features: readonly string[];
  /** Null where we have not written to this broker yet. */
  readonly manual: BrokerManual | null;
};

export type BrokerManual = {
  readonly requirements: readonly string[];
  readonly setUp: readonly { readonly title: string; readonly text: string }[];
  readonly troubles: readonly (readonly [name: string, text: string])[];
  readonly resources: readonly (readonly [name: string, url: string])[];
};

/** Specification section 8. */
const COMMON_TROUBLES: BrokerManual['troubles'] = [
  ['Connection Failed', 'The broker’s interface can be unreliable. Wait a moment and log in again.'],
  ['Authentication Error', 'Verify your credentials, and that API access is enabled for your account.'],
  ['Order Rejected', 'Check the account’s permissions, its buying power and the order’s parameters.'],
];

const INTERACTIVE_BROKERS: BrokerManual = {
  requirements: [
    'An approved and funded account in your own name.',
    'Trading permissions for the kinds of assets that your strategy trades.',
    '$25,000 to day trade actively in the USA, slightly more advised. That rule was replaced in 2026; the requirement of your own broker applies.',
  ],
  setUp: [
    { title: 'Open the account', text: 'Apply at the broker and wait until the account is approved.' },
    { title: 'Fund it', text: 'Transfer at least the amount that you want to deploy.' },
    {
      title: 'Ask for permissions',
      text: 'In the account settings, allow the kinds of assets that your strategy trades.',
    },
    {
      title: 'Secure the sign-in',
      text: 'Switch on the broker’s two-factor sign-in; you need it when connecting.',
    },
  ],
  troubles: [
    ...COMMON_TROUBLES,
    [
      'Daily Reset',
      'The broker’s interface resets daily between 23:45 and 00:45 ET for North America. Orders wait until it is back.',
    ],
  ],
  resources: [
    ['Interactive Brokers', 'https://www.interactivebrokers.com/'],
    ['Web API documentation', 'https://www.interactivebrokers.com/campus/ibkr-api-page/webapi-doc/'],
    ['System status', 'https://www.interactivebrokers.com/en/software/systemStatus.php'],
  ],
};

const ALPACA: BrokerManual = {
  requirements: [
    'A paper account, which is free, needs no deposit and trades practice money.',
    'Shares and funds of the United States, coins for dollars, and options on shares where our market lists them. Strategies for currencies or futures cannot be deployed here.',
    'For coins, crypto trading must be enabled for the account; Alpaca does not offer it everywhere. For options, the account’s level must allow the order: 1 for what is written, 2 for what is bought.',
  ],
  setUp: [
    { title: 'Open the account', text: 'Sign up at Alpaca. Every account comes with a paper account.' },
    { title: 'Set its balance', text: 'Give the paper account at least the amount that you want to deploy.' },
    { title: 'Secure the sign-in', text: 'Switch on two-factor sign-in in the account’s settings.' },
  ],
  troubles: [
    ...COMMON_TROUBLES,
    [
      'Too Many Requests',
      'The broker allows 200 requests a minute for each account. We wait and go on; other programs on the same account count too.',
    ],
  ],
  resources: [
    ['Alpaca', 'https://alpaca.markets/'],
    ['API documentation', 'https://docs.alpaca.markets/'],
    ['System status', 'https://status.alpaca.markets/'],
  ],
};

export const BROKER_GUIDES: readonly [BrokerGuide, ...BrokerGuide[]] = [
  {
    name: 'Interactive Brokers',
    about: 'An international brokerage for many kinds of assets, with accounts in most countries.',
    supportedAssets: ['Stocks', 'Options', 'Futures', 'Forex', 'Bonds'],
    features: [
      'Orders, fills and positions are reconciled with the broker’s own records',
      'Sign-in at the broker’s page: we never see your password',
      'Several strategies can share one account',
      'Access can be revoked at the broker at any time',
    ],
    manual: INTERACTIVE_BROKERS,
  },
  {
    name: 'Alpaca',
    about: 'A US broker for stocks, ETFs, options and crypto.',
    supportedAssets: ['Stocks', 'ETFs', 'Options', 'Crypto'],
    features: [
      'Commission-free US stocks and ETFs',
      'Coins around the clock, with the broker’s fee in coins',
      'Orders, fills and positions are reconciled with the broker’s own records',
      'Protective stops at the broker for shares',
      'Several strategies can share one account',
    ],
    manual: ALPACA,
  },
  {
    name: 'TradeStation',
    about: 'A US broker with its own trading platform.',
    supportedAssets: ['Stocks', 'Options', 'Futures', 'Forex'],
    features: ['Options and futures in one account', 'Advanced order types', 'Detailed statements'],
    manual: null,
  },
  {
    name: 'Zerodha',
    about: 'An Indian discount broker.',
    supportedAssets: ['Stocks', 'Derivatives', 'Commodities', 'Currency'],
    features: ['Indian exchanges', 'Low fixed commissions', 'Sign-in with two factors'],
    manual: null,
  },
];
