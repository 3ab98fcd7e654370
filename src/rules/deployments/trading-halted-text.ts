// What the owner of a deployment reads while its trading is halted. Promises one sentence of one shape for each of the
// two parties who can halt it, so that it differs visibly from other reasons.

/** `because` is the end of a sentence without its full stop. */
export function tradingHaltedText(because: string): string {
  return `The provider has halted trading: ${because}. No orders are sent until the halt is lifted.`;
}

/** While the owner's own switch is on. */
const OWN_HALT_TEXT = 'You have halted all your trading. No orders are sent until you lift the halt.';

/** Of a switch as it is read at the gates. */
export function haltText({ scope, because }: { readonly scope: string; readonly because: string }): string {
  return scope === 'own' ? OWN_HALT_TEXT : tradingHaltedText(because);
}
