// What a provider does with a strategy that the person has deployed or waits for, and room in it.
import type { IsoDate } from '#units/instant.ts';
import type { Micro } from '#units/money.ts';
import { dollars } from '../dollars.ts';
import { longDate } from '../long-date.ts';

export type StrategyFacts =
  /** `version` is the one that the deployment trades by, and goes on trading by. */
  | {
      readonly kind: 'strategy_changed';
      readonly strategyName: string;
      readonly version: number;
      readonly next: number;
    }
  | {
      readonly kind: 'strategy_retired';
      readonly strategyName: string;
      readonly version: number;
      /** The day after whose close everything of it ends; null: never, by itself. */
      readonly endsOn?: IsoDate | null;
    }
  /** Money waited for room, and has it. `adds`: to a deployment that trades already. */
  | {
      readonly kind: 'capacity_admitted';
      readonly strategyName: string;
      readonly amount: Micro;
      readonly adds: boolean;
    }
  /** Money waited for room in a strategy that is retired. */
  | {
      readonly kind: 'queue_closed';
      readonly strategyName: string;
      readonly amount: Micro;
      readonly adds: boolean;
    };

const KINDS: ReadonlySet<string> = new Set<StrategyFacts['kind']>([
  'strategy_changed',
  'strategy_retired',
  'capacity_admitted',
  'queue_closed',
]);

export function isOfStrategy(facts: { readonly kind: string }): facts is StrategyFacts {
  return KINDS.has(facts.kind);
}

export function strategyText(facts: StrategyFacts): { readonly title: string; readonly message: string } {
  const { strategyName } = facts;
  switch (facts.kind) {
    case 'strategy_changed':
      return {
        title: 'New version of a strategy',
        message: `${strategyName}: version ${facts.next} is published. Your deployment goes on with version ${facts.version}, which does not change. To trade by the new rules, read them on the strategy’s page, then deploy it again and close this deployment.`,
      };
    case 'strategy_retired':
      return {
        title: 'Strategy retired',
        message:
          facts.endsOn == null
            ? `${strategyName} takes no new deployments. Your deployment goes on with version ${facts.version} until you close it; no money can be added.`
            : `${strategyName} ends on ${longDate(facts.endsOn)}. After the close of that day your positions are sold as their markets open, and the deployment ends. You can close it earlier; no money can be added.`,
      };
    case 'capacity_admitted':
      return {
        title: 'Your turn in the queue',
        message: facts.adds
          ? `${strategyName} has room for the ${dollars(facts.amount)} that you add. The money moves at the next look at your account.`
          : `${strategyName} has room for your ${dollars(facts.amount)}. It starts trading at its next signal.`,
      };
    case 'queue_closed':
      return {
        title: 'The queue is closed',
        message: `${strategyName} is retired, and takes no more money. ${dollars(facts.amount)} that waited for room ${facts.adds ? 'is not added to your deployment' : 'is free cash in your brokerage account again'}.`,
      };
    default:
      return facts satisfies never;
  }
}
