// The rules of every kind, in one table.
import type { InstrumentKind } from '../instrument.ts';
import { CRYPTO } from './crypto.ts';
import { EQUITY } from './equity.ts';
import { FOREX } from './forex.ts';
import { FUTURES } from './futures.ts';
import type { KindRules } from './kind-rules.ts';
import { OPTIONS } from './options.ts';

export const KIND_RULES: Readonly<Record<InstrumentKind, KindRules>> = {
  equity: EQUITY,
  forex: FOREX,
  crypto: CRYPTO,
  futures: FUTURES,
  options: OPTIONS,
};
