/** How real a figure is. The same four textures mark lines on charts and the key next to figures. */
export type Texture = 'in-sample' | 'out-of-sample' | 'live' | 'expected';

export const TEXTURE_WORDS: Readonly<Record<Texture, string>> = {
  'in-sample': 'Backtest, in-sample',
  'out-of-sample': 'Backtest, out-of-sample',
  live: 'Sandbox or real fills',
  expected: 'Expected range',
};

export const TEXTURE_STROKES: Readonly<Record<Texture, { width: number; dash?: string }>> = {
  'in-sample': { width: 1.4, dash: '5 3.5' },
  'out-of-sample': { width: 1.4 },
  live: { width: 2.6 },
  expected: { width: 0 },
};
