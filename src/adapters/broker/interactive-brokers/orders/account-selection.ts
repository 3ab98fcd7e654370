// The vendor answers some queries only for the selected account, and a session has one. A caller keeps its account
// selected until it is done; queries about another account wait in order of arrival.
import type { BrokerAccountId } from '#units/identifiers.ts';

type AccountSelection = <Result>(accountId: BrokerAccountId, run: () => Promise<Result>) => Promise<Result>;

export function createAccountSelection(): AccountSelection {
  let selected: BrokerAccountId | null = null;
  let running = 0;
  const waiting: { readonly accountId: BrokerAccountId; readonly enter: () => void }[] = [];

  const admit = () => {
    for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
      if (running > 0 && next.accountId !== selected) return;
      waiting.shift();
      selected = next.accountId;
      running += 1;
      next.enter();
    }
  };

  return async (accountId, run) => {
    await new Promise<void>((enter) => {
      waiting.push({ accountId, enter });
      admit();
    });
    try {
      return await run();
    } finally {
      running -= 1;
      admit();
    }
  };
}
