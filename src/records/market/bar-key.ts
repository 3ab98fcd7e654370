import type { BarInterval } from '#engine/market/instrument.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { BarSource } from './instruments.ts';

/** Identifies one series of bars. */
export type BarKey = { readonly symbol: Symbol; readonly interval: BarInterval; readonly source: BarSource };
