// How large the positions of a built strategy are. The drawdown limit decides, never the hope for a return: both are
// aims that a backtest can miss, and no figure here promises anything.
import type { BuilderInput, BuilderRisk } from './builder-input.ts';

/**
 * The deepest fall of a decade for each point of yearly volatility. About 2.2 at a Sharpe ratio of 0.5 (M. Magdon-Ismail
 * and A. Atiya, Maximum Drawdown, Risk, 2004), with something in reserve.
 */
const DRAWDOWN_PER_VOLATILITY = 2.5;

/** Percent of yearly volatility that a risk level allows at most. */
const MOST_VOLATILITY: Readonly<Record<BuilderRisk, number>> = { low: 6, medium: 12, high: 20 };

/** Percent of yearly volatility that the whole aims at. */
export function aimedVolatility({
  maxDrawdown,
  riskLevel,
}: Pick<BuilderInput, 'maxDrawdown' | 'riskLevel'>): number {
  return Math.round(Math.min(maxDrawdown / DRAWDOWN_PER_VOLATILITY, MOST_VOLATILITY[riskLevel]) * 10) / 10;
}

/** The Sharpe ratio that the target return would take at that size. */
export function neededSharpe(
  input: Pick<BuilderInput, 'maxDrawdown' | 'riskLevel' | 'targetReturn'>,
): number {
  return Math.round((input.targetReturn / aimedVolatility(input)) * 10) / 10;
}

/** Few strategies hold more than this for years. */
const RARE_SHARPE = 1;

/** A contract covers a hundred shares: less than nearly all of the money would often buy none. */
const OPTIONS_SENTENCE =
  'A contract covers a hundred shares, so nearly all of the money is in the market fund: your drawdown limit does not set the size, and the strategy can fall about as far as the market. Neither target is promised; the backtest shows what the rules did.';

/** What the two aims mean together, as a sentence that promises nothing. */
export function aimsSentence(
  input: Pick<BuilderInput, 'assetClass' | 'maxDrawdown' | 'riskLevel' | 'targetReturn'>,
): string {
  if (input.assetClass === 'options') return OPTIONS_SENTENCE;
  const volatility = aimedVolatility(input);
  const sharpe = neededSharpe(input);
  const size = `Your drawdown limit and risk level set the size: swings of about ${volatility}% a year.`;
  const takes = `${input.targetReturn}% a year would then take a Sharpe ratio of ${sharpe.toFixed(1)}`;
  return sharpe > RARE_SHARPE
    ? `${size} ${takes}, which hardly any strategy sustains for years. Expect less; the backtest shows how much.`
    : `${size} ${takes}. Neither figure is promised; the backtest shows what the rules did.`;
}
