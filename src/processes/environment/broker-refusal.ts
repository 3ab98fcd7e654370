// Which broker may trade on which market. Simulated and past prices have a clock of their own, so a broker whose time is the
// real one would trade real orders on prices that are not; and simulated money is not traded on real prices.
import type { MarketMode } from '#ports/market-data.ts';

export const BROKERS = ['sandbox', 'interactive-brokers', 'alpaca'] as const;

export type BrokerChoice = (typeof BROKERS)[number];

/** market: the broker's time is the market's, as at a stand-in. real: its time is the real one. */
export type BrokerClock = 'market' | 'real';

type Combination = {
  readonly market: MarketMode;
  readonly choice: BrokerChoice;
  readonly clock: BrokerClock;
  readonly baseUrl: string | null;
  /** The setting that `baseUrl` is of. */
  readonly baseUrlName: 'BROKER_BASE_URL' | 'ALPACA_TRADING_URL';
  readonly marketFeedUrl: string | null;
  readonly tenancy: 'person' | 'adviser';
};

/** What is wrong with a combination of settings and how to go on, in one sentence; null when nothing is. */
export function brokerRefusal(combination: Combination): string | null {
  const { market, choice, clock, baseUrl, tenancy } = combination;
  if (tenancy === 'adviser' && choice === 'alpaca')
    return 'IBKR_TENANCY=adviser belongs to Interactive Brokers: remove it, or set BROKER=interactive-brokers.';
  if (market === 'live') return liveRefusal(combination);
  const prices = market === 'replay' ? 'past' : 'simulated';
  if (clock === 'real')
    return (
      `BROKER=${choice} would trade real orders on ${prices} prices, because MARKET is ${market}. ` +
      'Set BROKER=sandbox; or, for a stand-in on this machine whose time is the market’s, set BROKER_CLOCK=market.'
    );
  if (!isSandbox(combination) && !isOnThisMachine(baseUrl))
    return (
      `BROKER=${choice} would trade on ${prices} prices, because MARKET is ${market}, and only a stand-in may. ` +
      'Set BROKER_BASE_URL to one on this machine, such as http://127.0.0.1:3200/v1/api.'
    );
  return null;
}

/** Practice money of a real broker, in real time. Real money waits until a live market has traded practice money for long. */
function liveRefusal({ choice, clock, baseUrl, baseUrlName }: Combination): string | null {
  if (choice === 'sandbox')
    return (
      'BROKER=sandbox has practice accounts on simulated prices, and MARKET=live has real ones. ' +
      'Set BROKER=alpaca with the addresses of a paper account, or MARKET=sandbox.'
    );
  if (clock === 'market')
    return `BROKER_CLOCK=market is for a stand-in in simulated time, and MARKET=live runs in real time: remove it.`;
  if (baseUrl === null || isOnThisMachine(baseUrl) || hostOf(baseUrl) === ALPACA_PAPER_HOST) return null;
  return (
    `${baseUrlName} is ${baseUrl}, where real money may be traded, and MARKET=live trades practice money only. ` +
    `Set it to https://${ALPACA_PAPER_HOST}, or to a stand-in on this machine.`
  );
}

const ALPACA_PAPER_HOST = 'paper-api.alpaca.markets';

/** Our own sandbox serves the market and the brokerage from one host, which may be another machine. */
function isSandbox({ choice, baseUrl, marketFeedUrl }: Combination): boolean {
  const host = hostOf(baseUrl);
  return choice === 'sandbox' && (baseUrl === null || (host !== null && host === hostOf(marketFeedUrl)));
}

function isOnThisMachine(url: string | null): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostOf(url) ?? '');
}

function hostOf(url: string | null): string | null {
  return url !== null && URL.canParse(url) ? new URL(url).hostname : null;
}
