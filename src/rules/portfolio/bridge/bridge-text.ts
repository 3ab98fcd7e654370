// The words of the return bridge, the same on the page and in its file.
import type { BridgeStep } from '#engine/bridge/return-bridge.ts';

type StepText = { readonly label: string; readonly note: string };

export const BRIDGE_TEXT: { readonly [step in BridgeStep]: StepText } = {
  start: {
    label: 'Your start date',
    note: 'You began with cash; the record already held its positions and did not pay to enter them.',
  },
  limits: {
    label: 'Your limits',
    note: 'Stop loss, max allocation and freeze as they are set now, from the start on.',
  },
  rounding: {
    label: 'Your amount in whole units',
    note: 'What could not be bought because a unit or a minimum is larger.',
  },
  orders: {
    label: 'Orders at another time, or not at all',
    note: 'Filled earlier or later than in the record, by a stop within the day, while you had paused, or refused.',
  },
  slippage: {
    label: 'Slippage',
    note: 'Your fills against the open of their day, beyond what the record already counts.',
  },
  commission: { label: 'Commission', note: 'Beyond what the record already counts.' },
  cash: { label: 'Corrections of cash', note: 'Booked by your broker or by hand.' },
  income: {
    label: 'Dividends, swaps and corporate actions',
    note: 'Beyond what the record already counts.',
  },
  fee: { label: 'Performance fee', note: 'Billed by the provider; the record is before the fee.' },
  residual: {
    label: 'Not explained',
    note: 'Neither a booking nor a price explains it. We have been told and look into it.',
  },
};
