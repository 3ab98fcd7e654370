import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const tokens = readFileSync(path.join(import.meta.dirname, 'tokens.css'), 'utf8');

const TEXT = 4.5;
const GRAPHIC = 3;
const GROUNDS = ['ground', 'surface', 'raised'];
const TEXT_COLOURS = ['ink', 'ink-soft', 'ink-faint', 'accent', 'brass', 'gain', 'loss', 'caution'];
const ON_FILL = [
  ['on-accent', 'accent-fill'],
  ['on-accent', 'accent-fill-hover'],
  ['on-danger', 'danger-fill'],
  ['accent', 'accent-wash'],
  ['ink', 'accent-wash'],
  ['brass', 'brass-wash'],
  ['gain', 'gain-wash'],
  ['loss', 'loss-wash'],
  ['caution', 'caution-wash'],
  ['ink', 'caution-wash'],
  ['ink', 'loss-wash'],
  ['ink', 'gain-wash'],
] as const;

const [dark, light] = tokens.split(/\[data-theme=["']light["']\]/).map((part) => readColours(part)) as [
  Colours,
  Colours,
];

describe.each([
  ['dark', dark],
  ['light', light],
])('in the %s theme', (_name, colours) => {
  it.each(TEXT_COLOURS)('%s is readable as text on every ground', (name) => {
    for (const ground of GROUNDS) expect(contrast(colours, name, ground)).toBeGreaterThanOrEqual(TEXT);
  });

  it.each(ON_FILL)('%s is readable on %s', (text, fill) => {
    expect(contrast(colours, text, fill)).toBeGreaterThanOrEqual(TEXT);
  });

  it.each(['series', 'benchmark', 'control-line', 'accent', 'compared-a', 'compared-b', 'compared-c'])(
    '%s shows as a line on every ground',
    (name) => {
      for (const ground of GROUNDS) expect(contrast(colours, name, ground)).toBeGreaterThanOrEqual(GRAPHIC);
    },
  );
});

type Colours = ReadonlyMap<string, readonly [number, number, number]>;

function readColours(css: string): Colours {
  const matches = css.matchAll(/--([a-z-]+): oklch\(([\d.]+) ([\d.]+) ([\d.]+)\);/g);
  return new Map([...matches].map((m) => [m[1]!, [Number(m[2]), Number(m[3]), Number(m[4])] as const]));
}

function contrast(colours: Colours, first: string, second: string): number {
  const [a, b] = [first, second].map((name) => {
    const colour = colours.get(name);
    if (!colour) throw new Error(`no token named ${name}`);
    return luminance(...colour);
  }) as [number, number];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** WCAG relative luminance of an OKLCH colour, clipped to sRGB (matrices: Björn Ottosson, 2020). */
function luminance(lightness: number, chroma: number, hue: number): number {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const clip = (value: number) => Math.min(1, Math.max(0, value));
  const red = clip(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s);
  const green = clip(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s);
  const blue = clip(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
