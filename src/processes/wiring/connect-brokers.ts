// Puts the adapter of each configured vendor behind the port.
import { withVendorInAccounts } from '#adapters/broker/vendor-in-accounts.ts';
import { describedInstrument } from '#engine/market/derivatives/derived-instrument.ts';
import type { Instrument } from '#engine/market/instrument.ts';
import type { Brokers } from '#ports/brokers.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { Environment } from '../environment/environment.ts';
import { vendorEntry } from '../environment/vendors.ts';
import type { BrokerWiring } from './broker-wiring.ts';

/** Throws an Error that names the setting which is missing or wrong. */
export async function connectBrokers(
  { brokers }: Pick<Environment, 'brokers'>,
  {
    instruments,
    ...wiring
  }: { readonly instruments: readonly Instrument[] } & Omit<BrokerWiring, 'findInstrument'>,
): Promise<Brokers> {
  const bySymbol = new Map<Symbol, Instrument>(
    instruments.map((instrument) => [instrument.symbol, instrument]),
  );
  const findInstrument = (symbol: Symbol) => describedInstrument(symbol, bySymbol);
  return Promise.all(
    brokers.map(async (settings) =>
      withVendorInAccounts(
        await vendorEntry(settings.choice).connect(settings, { findInstrument, ...wiring }),
      ),
    ),
  );
}
