import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

const FAMILIES = [
  { family: 'Inter', file: /^inter-latin-wght-normal.*\.woff2$/, weights: '100 900' },
  { family: 'Newsreader', file: /^newsreader-latin-wght-normal.*\.woff2$/, weights: '200 800' },
];

/** The web app's own two text fonts, found where it was built, as CSS. */
export function fontFaces(webRoot: string | null): string {
  const assets = webRoot === null ? null : path.join(webRoot, 'assets');
  if (assets === null || !existsSync(assets)) return '';
  const files = readdirSync(assets);
  return FAMILIES.map(({ family, file, weights }) => {
    const found = files.find((name) => file.test(name));
    if (found === undefined) return '';
    return `@font-face { font-family: "${family}"; font-weight: ${weights}; font-display: swap; src: url("/assets/${found}") format("woff2"); }\n`;
  }).join('');
}
