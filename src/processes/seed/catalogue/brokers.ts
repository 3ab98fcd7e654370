// The brokers that the product names. One is integrated; the others are announced and cannot be connected yet.
import type { ListedBroker } from '#records/strategies/catalogue.ts';

export const BROKERS: readonly ListedBroker[] = [
  {
    slug: 'interactive-brokers',
    name: 'Interactive Brokers',
    logo: '/brokers/interactive-brokers.svg',
    description: 'International multi-asset brokerage. Trades run through your own account there.',
    brokerType: 'International brokerage',
    supportedAssets: ['equity', 'options', 'futures', 'forex', 'crypto'],
    status: 'available',
  },
  {
    slug: 'alpaca',
    name: 'Alpaca',
    logo: '/brokers/alpaca.svg',
    description: 'US broker for stocks, ETFs and crypto, built for automated trading.',
    brokerType: 'US broker',
    supportedAssets: ['equity', 'crypto'],
    status: 'coming_soon',
  },
  {
    slug: 'coinbase',
    name: 'Coinbase',
    logo: '/brokers/coinbase.svg',
    description: 'Cryptocurrency exchange.',
    brokerType: 'Crypto exchange',
    supportedAssets: ['crypto'],
    status: 'coming_soon',
  },
  {
    slug: 'oanda',
    name: 'OANDA',
    logo: '/brokers/oanda.svg',
    description: 'Foreign exchange broker.',
    brokerType: 'Forex broker',
    supportedAssets: ['forex'],
    status: 'coming_soon',
  },
  {
    slug: 'zerodha',
    name: 'Zerodha',
    logo: '/brokers/zerodha.svg',
    description: 'Indian discount broker.',
    brokerType: 'Indian discount broker',
    supportedAssets: ['equity', 'futures', 'options'],
    status: 'coming_soon',
  },
];
