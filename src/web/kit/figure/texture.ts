/** How real a figure is. The same textures mark lines on charts and the key next to figures. */
export type Texture =
  | 'known'
  | 'in-sample'
  | 'walk-forward'
  | 'out-of-sample'
  | 'practice'
  | 'live'
  | 'claimed'
  | 'expected';

export const TEXTURE_WORDS: Readonly<Record<Texture, string>> = {
  known: 'Known to the model: no evidence',
  'in-sample': 'Backtest, in-sample',
  'walk-forward': 'Backtest, walk-forward',
  'out-of-sample': 'Backtest, out-of-sample',
  practice: 'Practice money',
  live: 'Fills at a broker',
  claimed: 'Claimed, not checked by us',
  expected: 'Expected range',
};

export const TEXTURE_STROKES: Readonly<Record<Texture, { width: number; dash?: string }>> = {
  known: { width: 1, dash: '1.5 4' },
  'in-sample': { width: 1.4, dash: '5 3.5' },
  'walk-forward': { width: 1.4, dash: '11 3 2.5 3' },
  'out-of-sample': { width: 1.4 },
  practice: { width: 2.6, dash: '2.6 3.4' },
  live: { width: 2.6 },
  // Ticks across the line, as on no other.
  claimed: { width: 6, dash: '1 4' },
  expected: { width: 0 },
};
