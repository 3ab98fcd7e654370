// The vendors that BROKER may name. Another one is a name and an entry here, and a folder under src/adapters/broker.
import type { Broker } from '#ports/broker.ts';
import type { BrokerWiring } from '../wiring/broker-wiring.ts';
import type { BrokerSettings } from './broker-settings.ts';
import { alpacaOnLive, type Combination, interactiveBrokersOnLive, sandboxOnLive } from './broker-refusal.ts';

export const CHOICES = ['sandbox', 'interactive-brokers', 'alpaca'] as const;

export type BrokerChoice = (typeof CHOICES)[number];

export type VendorEntry = {
  /** Of the adapter and of its row among the brokers. Two entries of one vendor never run at once. */
  readonly vendor: string;
  /** Of the settings that are this vendor's own. */
  readonly prefix: string;
  /** What is wrong with it on real prices; null when nothing is. */
  readonly refusalOnLive: (combination: Combination) => string | null;
  /** Throws an Error that names the setting which is missing or wrong. Loads the adapter, which the start can do without. */
  readonly connect: (settings: BrokerSettings, wiring: BrokerWiring) => Promise<Broker>;
};

const connectInteractiveBrokers: VendorEntry['connect'] = async (...terms) =>
  (await import('../wiring/connect-interactive-brokers.ts')).connectInteractiveBrokers(...terms);

export const VENDORS: Readonly<Record<BrokerChoice, VendorEntry>> = {
  sandbox: {
    vendor: 'interactive-brokers',
    prefix: 'IBKR',
    refusalOnLive: sandboxOnLive,
    connect: connectInteractiveBrokers,
  },
  'interactive-brokers': {
    vendor: 'interactive-brokers',
    prefix: 'IBKR',
    refusalOnLive: interactiveBrokersOnLive,
    connect: connectInteractiveBrokers,
  },
  alpaca: {
    vendor: 'alpaca',
    prefix: 'ALPACA',
    refusalOnLive: alpacaOnLive,
    connect: async (...terms) => (await import('../wiring/connect-alpaca.ts')).connectAlpaca(...terms),
  },
};
