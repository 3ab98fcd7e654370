// Pictures of one screen in both themes on a phone and on a desktop, in screenshots/, and side by side for the documents.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import openVips from 'wasm-vips';
import { wearTheme } from './wear-theme.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const SHOTS = path.join(ROOT, 'screenshots');
const THEMES = ['dark', 'light'] as const;
const LOOKS = [
  ['phone', 390],
  ['desk', 1440],
] as const;
const HEIGHT = 900;
/** A desktop of half its size is legible in a document. */
const SCALE = { phone: 1, desk: 0.5 } as const;

/** Of what is on the page now; `whole` takes all of it and not what a window shows. Messages that pass by are waited out. */
export async function takeLooks(page: Page, name: string, { whole = false } = {}): Promise<void> {
  mkdirSync(SHOTS, { recursive: true });
  await page.getByRole('button', { name: 'Close message' }).first().waitFor({ state: 'detached' });
  for (const [device, width] of LOOKS) {
    await page.setViewportSize({ width, height: HEIGHT });
    for (const theme of THEMES) {
      await wearTheme(page, theme);
      await page.evaluate('Promise.allSettled([...document.images].map((one) => one.decode()))');
      await page.screenshot({ path: shotOf(name, theme, device), fullPage: whole });
    }
  }
  await page.setViewportSize({ width: 1440, height: HEIGHT });
}

/** Both themes of a screen beside each other, one picture a device, with few colours: docs/pictures/NAME-DEVICE.png. */
export async function publishLooks(name: string): Promise<void> {
  const vips = await openVips({ dynamicLibraries: [] });
  for (const [device] of LOOKS) {
    const [dark, light] = THEMES.map((theme) =>
      vips.Image.newFromBuffer(readFileSync(shotOf(name, theme, device))),
    );
    const joined = dark!.join(light!, 'horizontal', { shim: 16, background: [128, 128, 128], expand: true });
    const shown = SCALE[device] === 1 ? joined : joined.resize(SCALE[device]);
    const file = path.join(ROOT, 'docs/pictures', `${name}-${device}.png`);
    writeFileSync(file, shown.writeToBuffer('.png', { palette: true, bitdepth: 8, effort: 7, dither: 0 }));
  }
}

function shotOf(name: string, theme: string, device: string): string {
  return path.join(SHOTS, `${name}-${theme}-${device}.png`);
}
