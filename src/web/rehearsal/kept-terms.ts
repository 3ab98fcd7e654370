// What a visitor rehearsed a strategy with, kept in this window so that a reload loses nothing and the wizard begins with it.
import type { Strategy } from '#contract/strategies/strategies.ts';
import { defaultInvestment } from '#rules/deployments/investment-amount.ts';
import { type DeploymentSettings, fittingSettings } from '#rules/deployments/setting-ranges.ts';
import { fromMicro, toMicro } from '#units/money.ts';

/** `amountText` as typed. */
export type KeptTerms = { readonly amountText: string; readonly settings: DeploymentSettings };

export function usualTerms({
  min_investment: minimum,
  position_sizes: sizes,
}: Pick<Strategy, 'min_investment' | 'position_sizes'>): KeptTerms {
  return {
    amountText: String(fromMicro(defaultInvestment(toMicro(minimum)))),
    settings: fittingSettings(sizes),
  };
}

/** What is kept, or null. Only this file writes the key; what cannot be read is as good as absent. */
export function readKeptTerms(strategyId: string): KeptTerms | null {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(strategyId)) ?? 'null') as KeptTerms | null;
  } catch {
    return null;
  }
}

export function keepTerms(strategyId: string, terms: KeptTerms): void {
  sessionStorage.setItem(keyOf(strategyId), JSON.stringify(terms));
}

function keyOf(strategyId: string): string {
  return `rehearsal:${strategyId}`;
}
