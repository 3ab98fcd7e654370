/** The colours of lines that are compared. They say which line it is and nothing else. */
export const COMPARED = ['compared-a', 'compared-b', 'compared-c'] as const;

export type LineTone = 'main' | 'benchmark' | (typeof COMPARED)[number];

const STROKES: Readonly<Record<LineTone, string>> = {
  main: 'stroke-series',
  benchmark: 'stroke-benchmark',
  'compared-a': 'stroke-compared-a',
  'compared-b': 'stroke-compared-b',
  'compared-c': 'stroke-compared-c',
};

const FILLS: Readonly<Record<LineTone, string>> = {
  main: 'fill-series',
  benchmark: 'fill-ink-soft',
  'compared-a': 'fill-compared-a',
  'compared-b': 'fill-compared-b',
  'compared-c': 'fill-compared-c',
};

const GROUNDS: Readonly<Record<LineTone, string>> = {
  main: 'bg-series',
  benchmark: 'bg-benchmark',
  'compared-a': 'bg-compared-a',
  'compared-b': 'bg-compared-b',
  'compared-c': 'bg-compared-c',
};

export const lineStroke = (tone: LineTone): string => STROKES[tone];
export const lineFill = (tone: LineTone): string => FILLS[tone];
export const lineGround = (tone: LineTone): string => GROUNDS[tone];
