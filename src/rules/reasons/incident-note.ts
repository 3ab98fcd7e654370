// What the owner of a deployment, or a visitor of its strategy, reads of an open incident. The state of the broker's session and a quarantine have texts
// of their own, so their incidents have none here.
import type { IncidentKind } from '#engine/incidents/incident-kind.ts';

const NOTES: { readonly [Kind in IncidentKind]?: string } = {
  exit_waits_for_stop:
    'A closing order is on hold until your broker confirms that the protective stop is cancelled. Our support is looking at it.',
  exit_waits_for_order:
    'A closing order is on hold until your broker shows what became of an order in the other direction. Our support is looking at it.',
  position_unprotected:
    'Your broker holds no stop for one of the positions. We still monitor its stop loss ourselves.',
  order_unconfirmed:
    'The outcome of an order is not known yet. Its instrument does not trade here until it is.',
  order_failing: 'An order does not reach your broker at the moment. We keep trying.',
  question_declined:
    'Your broker asked a question before it took an order, and we do not answer it for you. The order says what was asked and what you can choose.',
  price_doubted:
    'Two sources of prices do not agree about an instrument of this strategy. It does not trade here until they do; you can still close your positions.',
  price_refused:
    'The prices of an instrument of this strategy are late, or cannot be right. It does not trade here until they are good again.',
  market_data_failing:
    'Prices of an instrument of this strategy do not arrive. It does not trade here until they do.',
  deployment_failing:
    'Part of our work for this deployment fails at the moment. Our support is looking at it.',
};

/** Of several incidents the first that has something to say, in the order given; null when none has. */
export function incidentNote(kinds: readonly IncidentKind[]): string | null {
  for (const kind of kinds) {
    const note = NOTES[kind];
    if (note !== undefined) return note;
  }
  return null;
}
