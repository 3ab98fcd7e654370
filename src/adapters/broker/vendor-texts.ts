// The few answers of vendors that only their words tell apart; everything else is read from status codes, message ids and
// structure. A text that is not here means nothing by itself: whoever asks falls back to what is safe. The test beside it
// has a recorded example of each.

/**
 * duplicate_order: an order with this client order id is there already. no_result: what became of the request is open.
 * nothing_found: the search has no result. not_subscribed: the plan lacks these prices.
 */
type TextMeaning = 'duplicate_order' | 'no_result' | 'nothing_found' | 'not_subscribed';

type VendorText = {
  readonly vendor: 'interactive-brokers' | 'alpaca';
  readonly meaning: TextMeaning;
  /** A part of the text, in any case of its letters. */
  readonly text: string;
};

export const VENDOR_TEXTS: readonly VendorText[] = [
  // Source: the prefix in the published client Voyz/ibind; third parties report it with status 400.
  { vendor: 'interactive-brokers', meaning: 'duplicate_order', text: 'local order id=' },
  // Source: the published schema, reply endpoint.
  { vendor: 'interactive-brokers', meaning: 'no_result', text: 'reply id not found' },
  // Source: the published schema, tickle endpoint, with status 200.
  { vendor: 'interactive-brokers', meaning: 'no_result', text: 'failed to process request' },
  // Source: the published schema. The vendor gives up on its own systems after ten seconds.
  { vendor: 'interactive-brokers', meaning: 'no_result', text: 'timed out' },
  // Source: the published schema, contract search, with status 500. In other words it is a search that failed.
  { vendor: 'interactive-brokers', meaning: 'nothing_found', text: 'no symbol found' },
  // Source: the published errors of the orders endpoint. Status 422; its code covers other errors too.
  { vendor: 'alpaca', meaning: 'duplicate_order', text: 'client_order_id must be unique' },
  // Source: users' reports of status 403, which wrong keys get too.
  { vendor: 'alpaca', meaning: 'not_subscribed', text: 'subscription does not permit' },
];

export function meaningOf(vendor: VendorText['vendor'], said: string): TextMeaning | null {
  const heard = said.toLowerCase();
  return VENDOR_TEXTS.find((one) => one.vendor === vendor && heard.includes(one.text))?.meaning ?? null;
}
