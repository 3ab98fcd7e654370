import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import type { WatchedPage } from './watched-page.ts';
import { wearTheme } from './wear-theme.ts';

const THEME = 'document.documentElement.dataset.theme';

/** Violations in the current state, in both themes on a phone and on a desktop; the page is restored afterwards. SHOTS=FOLDER keeps a picture of each. */
export async function violationsInEveryLook({
  page,
  violations,
}: Pick<WatchedPage, 'page' | 'violations'>): Promise<string[]> {
  const size = page.viewportSize();
  const theme: string = await page.evaluate(THEME);
  const found: string[] = [];
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    for (const name of ['dark', 'light']) {
      await wearTheme(page, name);
      found.push(...(await violations()).map((line) => `${name}, ${width}: ${line}`));
      await keepPicture(page, `${width}-${name}`);
    }
  }
  if (size) await page.setViewportSize(size);
  await wearTheme(page, theme);
  return found;
}

let pictures = 0;

async function keepPicture(page: Page, look: string): Promise<void> {
  const folder = process.env.SHOTS;
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  const screen = new URL(page.url()).pathname.slice(1).replaceAll('/', '-').slice(0, 40);
  const place = String(pictures++).padStart(3, '0');
  await page.screenshot({
    path: path.join(folder, `${process.pid}-${place}-${screen}-${look}.png`),
    fullPage: true,
  });
}
