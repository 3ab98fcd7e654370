import type { Page } from 'playwright-core';

/** Changes the theme and waits until its colours have faded in: before that the contrast is of neither theme. */
export async function wearTheme(page: Page, theme: string): Promise<void> {
  await page.evaluate(`(async () => {
    document.documentElement.dataset.theme = '${theme}';
    // What inherits a colour that fades begins to fade when that one has ended: until nothing fades any more.
    for (let round = 0; round < 20; round++) {
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      const fading = document.getAnimations().filter((one) => one instanceof CSSTransition);
      if (fading.length === 0) return;
      await Promise.allSettled(fading.map((one) => one.finished));
    }
  })()`);
}
