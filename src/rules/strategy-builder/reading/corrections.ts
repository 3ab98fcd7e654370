// A later message corrects an earlier one: what it says again replaces, what it excludes is taken out, and what begins with
// "also" is added.
import type { Said } from './said.ts';
import type { Token } from './token.ts';

export function forgetCorrected(said: Said, message: number, tokens: readonly Token[]): void {
  if (message === 0) return;
  const adds =
    tokens.some(({ category, value }) => category === 'change' && value === 'add') ||
    /^(?:and|but|add|plus)$/i.test(tokens[0]?.text ?? '');
  const isNow = (one: { readonly message: number }) => one.message === message;
  if (!adds) {
    const roles = new Set(said.tests.filter(isNow).map(({ role }) => role));
    said.tests = said.tests.filter((one) => isNow(one) || !roles.has(one.role));
    const names = [...said.instruments, ...said.kinds].some((one) => isNow(one) && !one.isNot);
    if (names) {
      keep(said.instruments, (one) => isNow(one) || one.isNot);
      keep(said.kinds, (one) => isNow(one) || one.isNot);
      keep(said.weights, (one) => one.spans.some((span) => span.message === message));
    }
  }
  const excluded = new Set(
    said.instruments.filter((one) => isNow(one) && one.isNot).flatMap(({ symbols }) => symbols),
  );
  const kinds = new Set(said.kinds.filter((one) => isNow(one) && one.isNot).map(({ kind }) => kind));
  keep(
    said.instruments,
    (one) => isNow(one) || one.isNot || !one.symbols.some((symbol) => excluded.has(symbol)),
  );
  keep(said.kinds, (one) => isNow(one) || one.isNot || !kinds.has(one.kind));
  const holds = said.tests.some(({ role, message: at }) => at === message && role === 'enterLong');
  if (holds && said.rank === null && !tokens.some(({ value }) => value === 'hold')) said.drop('hold');
}

function keep<One>(list: One[], isKept: (one: One) => boolean): void {
  list.splice(0, list.length, ...list.filter(isKept));
}
