// Lots and sales while the book is kept: a later purchase may still change both.
import type { Micro } from '#units/money.ts';
import type { IsoDate } from '#units/instant.ts';
import type { Quantity } from '#units/quantity.ts';
import type { ClosedLot, OpenLot } from './tax-lot.ts';

export type KeptLot = {
  -readonly [Field in keyof OpenLot]: OpenLot[Field];
} & {
  /** It replaces what a wash sale sold: one replacement serves one sale. */
  isReplacement: boolean;
};

export type KeptSale = Omit<ClosedLot, 'gain' | 'term' | 'disallowed'> & {
  /** The trade that opened what it closed: its other units are no replacement. */
  readonly openedBy: string;
  readonly heldSince: IsoDate;
  disallowed: Micro;
  /** Units without a replacement so far, in units of now. */
  unmatched: Quantity;
};
