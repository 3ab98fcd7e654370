// What the owner of a deployment, or a visitor of its strategy, reads of an open incident. The state of the broker's session and a quarantine have texts
// of their own, so their incidents have none here.
import type { IncidentKind, NotedIncident } from '#engine/incidents/incident-kind.ts';

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
  tick_failing:
    'Trading is held up: prices do not arrive, or our trader fails. Nothing new is decided until it works again. Orders and stops that are at your broker stay there.',
  books_differ: 'A figure of this deployment does not agree with its trades. Our support is looking at it.',
  deployment_failing:
    'Part of our work for this deployment fails at the moment. Our support is looking at it.',
};

/** `of` names the instruments. What has not been decided yet waits; what a person asks for does not. */
const PRICE_NOTES: { readonly [Kind in IncidentKind]?: (of: string) => string } = {
  price_doubted: (of) =>
    `A second source of prices does not confirm the price of ${of}. Nothing new is bought or sold on it until it does; you can still close your positions.`,
  price_refused: (of) =>
    `The price of ${of} is late, cannot be right, or its exchange has halted trading. Nothing new is bought or sold on it until it is good again.`,
  market_data_failing: (of) =>
    `No price of ${of} arrives. Nothing new is bought or sold without one until it does.`,
};

/** Of several incidents the first that has something to say, in the order given; null when none has. */
export function incidentNote(incidents: readonly NotedIncident[]): string | null {
  for (const { kind } of incidents) {
    const note = NOTES[kind] ?? PRICE_NOTES[kind]?.(namesOf(incidents.filter((one) => one.kind === kind)));
    if (note !== undefined) return note;
  }
  return null;
}

/** For positions with a stop loss that no order at the broker can carry out; null when there are none. */
export function noStopsNote(broker: string, tickers: readonly string[]): string | null {
  if (tickers.length === 0) return null;
  return `${broker} takes no protective stop for ${listed(tickers)}. We watch the stop loss ourselves; nothing does while we are not connected to the broker.`;
}

function namesOf(incidents: readonly NotedIncident[]): string {
  const symbols = [...new Set(incidents.flatMap(({ symbol }) => symbol ?? []))];
  return symbols.length === 0 ? 'an instrument of this strategy' : listed(symbols);
}

function listed(symbols: readonly string[]): string {
  const rest = symbols.length - NAMED_MAX;
  const names = rest > 1 ? [...symbols.slice(0, NAMED_MAX), `${rest} more`] : symbols;
  return names.length === 1 ? names[0]! : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

const NAMED_MAX = 3;
