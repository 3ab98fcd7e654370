// Which broker may trade on which market. Simulated and past prices have a clock of their own, so a broker whose time is the
// real one would trade real orders on prices that are not; and simulated money is not traded on real prices.
import type { MarketMode } from '#ports/market-data.ts';
import { isLoopback } from './loopback.ts';

/** market: the broker's time is the market's, as at a stand-in. real: its time is the real one. */
export type BrokerClock = 'market' | 'real';

export type Combination = {
  readonly market: MarketMode;
  /** As BROKER names it, and whose adapter it is. */
  readonly choice: string;
  readonly vendor: string;
  readonly clock: BrokerClock;
  readonly baseUrl: string | null;
  /** The setting that `baseUrl` is of. */
  readonly baseUrlName: string;
  readonly marketFeedUrl: string | null;
  readonly tenancy: 'person' | 'adviser';
  /** See LiveMarket. */
  readonly takesRealMoney: boolean;
};

/** What is wrong with a combination of settings and how to go on, in one sentence; null when nothing is. */
export function brokerRefusal(
  combination: Combination,
  refusalOnLive: (combination: Combination) => string | null,
): string | null {
  const { market, choice, vendor, clock, baseUrl, baseUrlName, tenancy } = combination;
  if (tenancy === 'adviser' && vendor !== 'interactive-brokers')
    return 'IBKR_TENANCY=adviser belongs to Interactive Brokers: remove it, or set BROKER=interactive-brokers.';
  if (market === 'live') return refusalOnLive(combination);
  const prices = market === 'replay' ? 'past' : 'simulated';
  if (clock === 'real')
    return (
      `BROKER=${choice} would trade real orders on ${prices} prices, because MARKET is ${market}. ` +
      'Set BROKER=sandbox; or, for a stand-in on this machine whose time is the market’s, set BROKER_CLOCK=market.'
    );
  if (!isSandbox(combination) && !isOnThisMachine(baseUrl))
    return (
      `BROKER=${choice} would trade on ${prices} prices, because MARKET is ${market}, and only a stand-in may. ` +
      `Set ${baseUrlName} to one on this machine, such as http://127.0.0.1:3200/v1/api.`
    );
  return null;
}

export function sandboxOnLive(): string {
  return (
    'BROKER=sandbox has practice accounts on simulated prices, and MARKET=live has real ones. ' +
    'Set BROKER=alpaca with the addresses of a paper account, or MARKET=sandbox.'
  );
}

// On the live market brokers trade practice money, in real time, until REAL_MONEY says that real money is meant.

export function alpacaOnLive({ clock, baseUrl, baseUrlName, takesRealMoney }: Combination): string | null {
  if (clock === 'market') return MARKET_CLOCK_ON_LIVE;
  if (baseUrl === null || isOnThisMachine(baseUrl) || hostOf(baseUrl) === ALPACA_PAPER_HOST) return null;
  if (takesRealMoney && hostOf(baseUrl) === ALPACA_HOST) return null;
  return (
    `${baseUrlName} is ${baseUrl}, where real money may be traded, and MARKET=live trades practice money only. ` +
    `Set it to https://${ALPACA_PAPER_HOST}, or to a stand-in on this machine; or set REAL_MONEY=yes, if real money is meant.`
  );
}

/** One address serves paper and real accounts; which one a client connects is known, and checked, when they sign in. */
export function interactiveBrokersOnLive(combination: Combination): string | null {
  const { clock, baseUrl, baseUrlName, tenancy, takesRealMoney } = combination;
  if (clock === 'market') return MARKET_CLOCK_ON_LIVE;
  if (baseUrl === null || isOnThisMachine(baseUrl)) return null;
  if (!baseUrl.startsWith('https:') || !/^(.+\.)?ibkr\.com$/.test(hostOf(baseUrl) ?? ''))
    return (
      `${baseUrlName} is ${baseUrl}, which is no address of Interactive Brokers. ` +
      'Set it to https://api.ibkr.com/v1/api, or to a stand-in on this machine.'
    );
  if (tenancy === 'adviser' && !takesRealMoney)
    return (
      'IBKR_TENANCY=adviser trades accounts of which nobody says whether they hold real money, and MARKET=live trades ' +
      'practice money only. Remove it, or use a stand-in on this machine; or set REAL_MONEY=yes, if real money is meant.'
    );
  return null;
}

const MARKET_CLOCK_ON_LIVE =
  'BROKER_CLOCK=market is for a stand-in in simulated time, and MARKET=live runs in real time: remove it.';
const ALPACA_HOST = 'api.alpaca.markets';
const ALPACA_PAPER_HOST = 'paper-api.alpaca.markets';

/** Our own sandbox serves the market and the brokerage from one host, which may be another machine. */
function isSandbox({ choice, baseUrl, marketFeedUrl }: Combination): boolean {
  const host = hostOf(baseUrl);
  return choice === 'sandbox' && (baseUrl === null || (host !== null && host === hostOf(marketFeedUrl)));
}

function isOnThisMachine(url: string | null): boolean {
  return isLoopback(hostOf(url) ?? '');
}

function hostOf(url: string | null): string | null {
  return url !== null && URL.canParse(url) ? new URL(url).hostname : null;
}
