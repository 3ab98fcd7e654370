// What every adapter is built with besides its settings, and how it names a setting that is missing.
import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { BrokerTickers } from '#adapters/broker/broker-tickers.ts';
import type { ContractStore } from '#adapters/broker/interactive-brokers/market-data/contract-store.ts';
import type { SharedRateLimiter } from '#adapters/broker/rate-limiter.ts';
import type { SharedWindow } from '#adapters/broker/shared-window.ts';
import type { Instrument } from '#engine/market/instrument.ts';
import type { Symbol } from '#units/identifiers.ts';

export type Role = 'trader' | 'api' | 'command';

export type BrokerWiring = {
  readonly findInstrument: (symbol: Symbol) => Instrument | null;
  /** What shares are called today; absent in a market where nothing is renamed. */
  readonly tickers?: () => BrokerTickers;
  readonly role: Role;
  /** Absent where a process is alone at the broker. */
  readonly shared?: Shared;
};

/** What all processes share of one vendor, reached at an address. */
export type Shared = (at: { readonly vendor: string; readonly server: string }) => {
  readonly sharedLimiterOf: (userHash: string) => SharedRateLimiter;
  readonly sharedWindowOf: (
    userHash: string,
    window: { readonly places: number; readonly countsMs: number },
  ) => SharedWindow;
  readonly contractStore: ContractStore;
};

/** Throws an Error that names the variable which is missing. */
export function setting(choice: string, name: string, value: string | null): string {
  if (value !== null) return value;
  throw new Error(
    choice === 'sandbox'
      ? `${name} must be set when a role runs alone; \`npm start\` sets it`
      : `${name} must be set for BROKER=${choice}; .env.example says what it is`,
  );
}

/** Throws an Error that names the variable whose file holds no private key. */
export function privateKey(choice: string, name: string, file: string | null): string {
  const path = setting(choice, name, file);
  try {
    const pem = readFileSync(path, 'utf8');
    createPrivateKey(pem);
    return pem;
  } catch (error) {
    throw new Error(`${name} is ${path}, which holds no private key in PEM form`, { cause: error });
  }
}
