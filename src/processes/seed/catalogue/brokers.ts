// The brokers that the product names. The one that it is connected to is offered; the others are announced.
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
    description: 'US broker for stocks and ETFs, built for automated trading.',
    brokerType: 'US broker',
    supportedAssets: ['equity'],
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

/** `connected` is the vendor that the product trades with; it comes first. */
export function listBrokers(connected: string): readonly ListedBroker[] {
  const isConnected = ({ slug }: { readonly slug: string }) => slug === connected;
  return [
    ...BROKERS.filter(isConnected).map((broker) => ({ ...broker, status: 'available' as const })),
    ...BROKERS.filter((broker) => !isConnected(broker)).map((broker) => ({
      ...broker,
      status: 'coming_soon' as const,
    })),
  ];
}
