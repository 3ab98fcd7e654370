// The few answers of vendors that only their words tell apart; everything else is read from status codes, message ids and
// structure. A text that is not here means nothing by itself: whoever asks falls back to what is safe.

/** duplicate_order: an order with this client order id is there already. no_result: what became of the request is open. */
type TextMeaning = 'duplicate_order' | 'no_result';

type VendorText = {
  readonly vendor: 'interactive-brokers' | 'alpaca';
  readonly meaning: TextMeaning;
  /** A part of the text, in any case of its letters. */
  readonly text: string;
  readonly source: string;
  readonly recorded: string;
};

export const VENDOR_TEXTS: readonly VendorText[] = [
  {
    vendor: 'interactive-brokers',
    meaning: 'duplicate_order',
    text: 'local order id=',
    source: 'The prefix is in the published client Voyz/ibind; third parties report it with status 400.',
    recorded: "Order couldn't be submitted: Local order ID=d1 is already registered.",
  },
  {
    vendor: 'interactive-brokers',
    meaning: 'no_result',
    text: 'reply id not found',
    source: 'The published schema of the reply endpoint.',
    recorded: "reply id not found: '99097238'",
  },
  {
    vendor: 'interactive-brokers',
    meaning: 'no_result',
    text: 'failed to process request',
    source: 'The published schema of the tickle endpoint, with status 200.',
    recorded: 'failed to process request',
  },
  {
    vendor: 'interactive-brokers',
    meaning: 'no_result',
    text: 'timed out',
    source: 'The published schema: the vendor gives up on its own systems after ten seconds.',
    recorded: 'Request timed out',
  },
  {
    vendor: 'alpaca',
    meaning: 'duplicate_order',
    text: 'client_order_id must be unique',
    source:
      'The published error list of the orders endpoint, with status 422; its code covers other errors too.',
    recorded: 'client_order_id must be unique',
  },
];

export function meaningOf(vendor: VendorText['vendor'], said: string): TextMeaning | null {
  const heard = said.toLowerCase();
  return VENDOR_TEXTS.find((one) => one.vendor === vendor && heard.includes(one.text))?.meaning ?? null;
}
