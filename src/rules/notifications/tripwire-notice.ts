import type { TradingNotice } from '#engine/execution/deployment/notice-facts.ts';
import { tripwireMeaning, tripwireReactionSentence } from '../deployments/tripwire-text.ts';

export type TripwireFacts =
  | Extract<TradingNotice, { kind: 'tripwire_amber' | 'tripwire_red' }>
  /** By the owner. */
  | { readonly kind: 'tripwire_acknowledged'; readonly strategyName: string };

export function tripwireNotice(facts: TripwireFacts): { readonly title: string; readonly message: string } {
  const { strategyName } = facts;
  switch (facts.kind) {
    case 'tripwire_amber':
      return {
        title: 'Results in doubt',
        message: `${strategyName}: ${tripwireMeaning('amber', facts.days)}`,
      };
    case 'tripwire_red':
      return {
        title: 'Worse than its record',
        message: `${strategyName}: ${tripwireMeaning('red', facts.days)} ${tripwireReactionSentence(facts.choice)}`,
      };
    case 'tripwire_acknowledged':
      return {
        title: 'Acknowledged',
        message: `${strategyName} follows its strategy in full again from the next decision, and is compared anew with its published record.`,
      };
    default:
      return facts satisfies never;
  }
}
