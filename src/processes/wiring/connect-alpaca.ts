import { SHARED_PLACES } from '#adapters/broker/alpaca/config.ts';
import { alpaca } from '#adapters/broker/alpaca/alpaca.ts';
import type { Broker } from '#ports/broker.ts';
import type { BrokerSettings } from '../environment/broker-settings.ts';
import { type BrokerWiring, setting } from './broker-wiring.ts';

/** Beta: never verified against a live account. */
export function connectAlpaca(
  settings: BrokerSettings,
  { findInstrument, tickers, shared }: BrokerWiring,
): Broker<'alpaca'> {
  const { choice, vendor, prefix, clock, authorizeUrl, tokenUrl, alpaca: own } = settings;
  const baseUrl = setting(choice, `${prefix}_BASE_URL`, settings.baseUrl);
  const connected = alpaca({
    baseUrl,
    access:
      own.keys !== null
        ? { kind: 'keys', ...own.keys }
        : {
            kind: 'permission',
            authorizeUrl: setting(choice, `${prefix}_AUTHORIZE_URL`, authorizeUrl),
            tokenUrl: setting(choice, `${prefix}_TOKEN_URL`, tokenUrl),
            clientId: setting(choice, 'ALPACA_CLIENT_ID', own.clientId),
            clientSecret: setting(choice, 'ALPACA_CLIENT_SECRET', own.clientSecret),
          },
    findInstrument,
    ...(tickers && { tickers }),
    sharedWindowOf:
      shared && ((user) => shared({ vendor, server: baseUrl }).sharedWindowOf(user, SHARED_PLACES)),
  });
  return { ...connected, ...(clock === 'market' && { keepsMarketTime: true as const }) };
}
