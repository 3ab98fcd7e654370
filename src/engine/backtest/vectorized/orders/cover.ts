// Shares that cover options, in numbers: risk/cover.ts.
import type { Account } from '../account.ts';
import type { Slot } from '../slot.ts';

/** Whether a position of this sign may have to deliver shares. */
export function deliversShares({ option }: Slot, position: number): boolean {
  return option !== null && option.right === (position < 0 ? 'call' : 'put');
}

/** How many contracts the shares that are held cover, those of other contracts left out. */
export function coveredContracts({ slots, held, quantity }: Account, slot: Slot, underlying: number): number {
  let free = quantity[underlying] ?? 0;
  for (let i = 0; i < held.count; i++) {
    const s = held.at(i);
    const other = slots.traded(s);
    if (s === slot.index || !deliversShares(other, quantity[s]!)) continue;
    if (slots.find(other.option!.underlying) === underlying)
      free -= Math.abs(quantity[s]!) * other.multiplier;
  }
  const unit = slot.multiplier * slot.step;
  return Math.floor(Math.max(0, free) / unit) * slot.step;
}

/** Written calls that shares no longer cover, and how many contracts of each. */
export function uncoveredCalls(account: Account): { readonly s: number; readonly contracts: number }[] {
  const found: { s: number; contracts: number }[] = [];
  const { held, slots, quantity } = account;
  for (let i = 0; i < held.count; i++) {
    const s = held.at(i);
    const slot = slots.traded(s);
    const position = quantity[s]!;
    if (slot.option === null || position > 0 || !deliversShares(slot, position)) continue;
    const contracts = -position - coveredContracts(account, slot, slots.find(slot.option.underlying));
    if (contracts > 0) found.push({ s, contracts });
  }
  return found;
}
