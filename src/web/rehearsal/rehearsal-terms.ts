import type { RehearsalTerms } from '#engine/rehearsal/rehearsal.ts';
import type { DeploymentSettings } from '#rules/deployments/setting-ranges.ts';
import type { Micro } from '#units/money.ts';

/** What a deployment's terms are to the engine. `amount` is in Micro. */
export function rehearsalTerms({
  amount,
  settings,
  ...rest
}: { readonly amount: number; readonly settings: DeploymentSettings } & Pick<
  RehearsalTerms,
  'feePercent' | 'takesFractions'
>): RehearsalTerms {
  return {
    ...rest,
    amount: amount as Micro,
    limits: {
      stopLossPercentage: settings.stop_loss_percentage,
      maxAllocationPercent: settings.max_allocation_per_trade,
      freezeOnDrawdownPercent: settings.freeze_on_drawdown,
    },
  };
}
