import type { Page } from 'playwright-core';

/** Changes the theme and waits until its colours have faded in: before that the contrast is of neither theme. */
export async function wearTheme(page: Page, theme: string): Promise<void> {
  await page.evaluate(`(async () => {
    document.documentElement.dataset.theme = '${theme}';
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    await Promise.allSettled(document.getAnimations().filter((one) => one instanceof CSSTransition).map((one) => one.finished));
  })()`);
}
