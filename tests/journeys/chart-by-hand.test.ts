// A chart under two fingers, as a picture and on paper.
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { launchBrowser } from '#tests/support/browser.ts';
import { testApp } from '#tests/support/test-app.ts';
import { publishedStrategy } from '#tests/support/test-strategy.ts';
import { WEB_ROOT } from '#tests/support/web-root.ts';

const app = await testApp({ webRoot: WEB_ROOT });
const base = await app.app.listen({ port: 0, host: '127.0.0.1' });
const browser = await launchBrowser();
afterAll(() => browser.close());
const strategy = await publishedStrategy(app, { name: 'Calm Trend' });

async function open(look: Parameters<typeof browser.newContext>[0]): Promise<Page> {
  const context = await browser.newContext({ baseURL: base, ...look });
  const page = await context.newPage();
  await page.goto(`/strategy/${strategy}`);
  await chartOf(page).waitFor();
  return page;
}

const chartOf = (page: Page) => page.getByRole('slider', { name: 'Performance History: day' });
const daysShown = async (page: Page) => Number(await chartOf(page).getAttribute('aria-valuemax'));

test('two fingers that part zoom in, that close zoom out; one only looks', async () => {
  const page = await open({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await chartOf(page).scrollIntoViewIfNeeded();
  const { x, y, width } = (await chartOf(page).boundingBox())!;
  const session = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...places: number[]) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: places.map((place, id) => ({ x: x + width * place, y: y + 100, id })),
    });
  const whole = await daysShown(page);

  await touch('touchStart', 0.3);
  await touch('touchMove', 0.4);
  await touch('touchEnd');
  expect(await daysShown(page)).toBe(whole);

  await touch('touchStart', 0.3);
  await touch('touchStart', 0.3, 0.4);
  for (const step of [1, 2, 3, 4]) await touch('touchMove', 0.3 - 0.04 * step, 0.4 + 0.04 * step);
  await touch('touchEnd');
  await expect.poll(() => daysShown(page)).toBeLessThan(whole / 2);

  const near = await daysShown(page);
  await touch('touchStart', 0.1);
  await touch('touchStart', 0.1, 0.6);
  for (const step of [1, 2, 3, 4]) await touch('touchMove', 0.1 + 0.04 * step, 0.6 - 0.04 * step);
  await touch('touchEnd');
  await expect.poll(() => daysShown(page)).toBeGreaterThan(near);
  await page.context().close();
});

test('its picture holds the drawing, not only the ground', async () => {
  const page = await open({ viewport: { width: 1440, height: 900 }, acceptDownloads: true });
  const region = page.getByRole('region', { name: 'Performance History' });
  await region.getByRole('button', { name: 'Save the chart' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Picture (PNG)' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('performance-history.png');
  const bytes = readFileSync(await file.path());
  expect(bytes.subarray(1, 4).toString()).toBe('PNG');
  const share = await page.evaluate(`(async () => {
    const image = new Image();
    image.src = 'data:image/png;base64,${bytes.toString('base64')}';
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.width;
    canvas.height = image.height;
    const pen = canvas.getContext('2d');
    pen.drawImage(image, 0, 0);
    // The lower half: title and words are outside.
    const top = Math.floor(image.height / 4);
    const { data } = pen.getImageData(0, top, image.width, Math.floor(image.height / 2));
    let drawn = 0;
    for (let i = 0; i < data.length; i += 4)
      if (data[i] !== data[0] || data[i + 1] !== data[1] || data[i + 2] !== data[2]) drawn += 1;
    return drawn / (data.length / 4);
  })()`);
  expect(share).toBeGreaterThan(0.005);
  await page.context().close();
});

test('on paper, which is narrower than the window, nothing of it is cut off', async () => {
  const page = await open({ viewport: { width: 1440, height: 900 } });
  // Paper is laid out without telling the page its width: what a narrower box would cut, it cuts.
  await page.emulateMedia({ media: 'print' });
  const cut = await page.evaluate(`(() => {
    const box = document.querySelector('[data-chart]');
    box.parentElement.style.width = '660px';
    const [outer, inner] = [box, box.querySelector('svg')].map((one) => one.getBoundingClientRect());
    return [inner.right - outer.right, inner.bottom - outer.bottom];
  })()`);
  for (const pixels of cut as number[]) expect(pixels).toBeLessThanOrEqual(0.5);
  await page.context().close();
});
