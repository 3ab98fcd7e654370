// A contract of the vendor's, and where the ids of all processes are kept.
import type { Symbol } from '#units/identifiers.ts';
import type { Fields } from '../../answer-fields.ts';

export type Contract = {
  readonly conid: number;
  readonly secType: (typeof SECURITY_TYPES)[number];
};

/** What all processes know, kept over a restart; a failure of it costs one look-up more. */
export type ContractStore = {
  /** As it was kept; null when there is none. */
  find(symbol: Symbol): Promise<unknown>;
  keep(symbol: Symbol, contract: Contract): Promise<void>;
  drop(symbol: Symbol): Promise<void>;
};

/** Null for what is no contract. */
export function readContract(kept: unknown): Contract | null {
  if (typeof kept !== 'object' || kept === null) return null;
  const { conid, secType } = kept as Fields;
  const known = SECURITY_TYPES.find((one) => one === secType);
  return typeof conid === 'number' && known !== undefined ? { conid, secType: known } : null;
}

const SECURITY_TYPES = ['STK', 'CASH', 'CRYPTO', 'FUT', 'OPT'] as const;
