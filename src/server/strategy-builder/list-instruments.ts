import type { strategyBuilderEndpoints } from '#contract/strategies/strategy-builder.ts';
import { listInstruments as list } from '#records/market/instruments.ts';
import type { Call } from '../http/call.ts';

/** Contracts that expire are left out: rules read the series of their root. */
export const listInstruments: Call<typeof strategyBuilderEndpoints.listBuilderInstruments> = async (
  _,
  { records },
) =>
  (await list(records.database))
    .filter(({ expiry }) => expiry === null)
    .map(({ symbol, name, kind }) => ({ symbol, name, kind }));
