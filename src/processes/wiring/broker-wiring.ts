// What every adapter is built with besides its settings, and how it names a setting that is missing.
import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ContractStore } from '#adapters/broker/interactive-brokers/market-data/contract-store.ts';
import type { SharedRateLimiter } from '#adapters/broker/rate-limiter.ts';
import type { Instrument } from '#engine/market/instrument.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { BrokerSettings } from '../environment/broker-settings.ts';

export type Role = 'trader' | 'api' | 'command';

export type BrokerWiring = {
  readonly findInstrument: (symbol: Symbol) => Instrument | null;
  readonly role: Role;
  /** Absent where a process is alone at the broker. */
  readonly shared?: Shared;
};

/** What all processes share of one vendor, reached at an address. */
export type Shared = (at: { readonly vendor: string; readonly server: string }) => {
  readonly sharedLimiterOf: (userHash: string) => SharedRateLimiter;
  readonly contractStore: ContractStore;
};

/** Throws an Error that names the variable which is missing. */
export function setting(choice: BrokerSettings['choice'], name: string, value: string | null): string {
  if (value !== null) return value;
  throw new Error(
    choice === 'sandbox'
      ? `${name} must be set when a role runs alone; \`npm start\` sets it`
      : `${name} must be set for BROKER=${choice}; .env.example says what it is`,
  );
}

/** Throws an Error that names the variable whose file holds no private key. */
export function privateKey(choice: BrokerSettings['choice'], name: string, file: string | null): string {
  const path = setting(choice, name, file);
  try {
    const pem = readFileSync(path, 'utf8');
    createPrivateKey(pem);
    return pem;
  } catch (error) {
    throw new Error(`${name} is ${path}, which holds no private key in PEM form`, { cause: error });
  }
}
