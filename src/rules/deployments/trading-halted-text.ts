// What the owner of a deployment reads while the provider has halted its trading. Promises one sentence of one shape, so
// that it can be told from other reasons.

/** `because` is the end of a sentence without its full stop. */
export function tradingHaltedText(because: string): string {
  return `Trading is halted by the provider: ${because}. No order is sent until it is lifted.`;
}
