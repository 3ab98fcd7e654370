import type { WatchedPage } from './watched-page.ts';
import { wearTheme } from './wear-theme.ts';

const THEME = 'document.documentElement.dataset.theme';

/** Violations in the current state, in both themes on a phone and on a desktop; the page is restored afterwards. */
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
    }
  }
  if (size) await page.setViewportSize(size);
  await wearTheme(page, theme);
  return found;
}
