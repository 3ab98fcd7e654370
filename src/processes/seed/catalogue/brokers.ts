// The brokers that the product names. Those that this installation is connected to are offered; of the others it says whether
// the product trades there.
import { VENDORS } from '../../environment/vendors.ts';
import type { ListedBroker } from '#records/brokerage/brokers.ts';

const BROKERS: readonly Omit<ListedBroker, 'status'>[] = [
  {
    slug: 'interactive-brokers',
    name: 'Interactive Brokers',
    logo: '/brokers/interactive-brokers.svg',
    description: 'International multi-asset brokerage. Trades run through your own account there.',
    brokerType: 'International brokerage',
    supportedAssets: ['equity', 'options', 'futures', 'forex', 'crypto'],
  },
  {
    slug: 'alpaca',
    name: 'Alpaca',
    logo: '/brokers/alpaca.svg',
    description: 'US broker for stocks, ETFs, options and coins, built for automated trading.',
    brokerType: 'US broker',
    supportedAssets: ['equity', 'options', 'crypto'],
  },
  {
    slug: 'coinbase',
    name: 'Coinbase',
    logo: '/brokers/coinbase.svg',
    description: 'Cryptocurrency exchange.',
    brokerType: 'Crypto exchange',
    supportedAssets: ['crypto'],
  },
  {
    slug: 'oanda',
    name: 'OANDA',
    logo: '/brokers/oanda.svg',
    description: 'Foreign exchange broker.',
    brokerType: 'Forex broker',
    supportedAssets: ['forex'],
  },
  {
    slug: 'zerodha',
    name: 'Zerodha',
    logo: '/brokers/zerodha.svg',
    description: 'Indian discount broker.',
    brokerType: 'Indian discount broker',
    supportedAssets: ['equity', 'futures', 'options'],
  },
];

const TRADED: readonly string[] = Object.values(VENDORS).map(({ vendor }) => vendor);

/** `connected` are the vendors that the product trades with; they come first, in their order. */
export function listBrokers(connected: readonly string[]): readonly ListedBroker[] {
  const isConnected = ({ slug }: { readonly slug: string }) => connected.includes(slug);
  return [
    ...BROKERS.filter(isConnected)
      .toSorted((one, other) => connected.indexOf(one.slug) - connected.indexOf(other.slug))
      .map((broker) => ({ ...broker, status: 'available' as const })),
    ...BROKERS.filter((broker) => !isConnected(broker)).map((broker) => ({
      ...broker,
      status: TRADED.includes(broker.slug) ? ('not_set_up' as const) : ('coming_soon' as const),
    })),
  ];
}
