import { expect } from 'vitest';
import { launchBrowser } from './browser.ts';

/** Each deployment of a person, explained on its page: the steps that are shown sum to the own result. Returns how many had steps. */
export async function checkBridges(
  baseUrl: string,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<number> {
  const browser = await launchBrowser();
  let explained = 0;
  try {
    const page = await browser.newPage();
    await page.goto(`${baseUrl}/login`);
    await page.getByLabel('Email Address').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.locator('form button[type=submit]').click();
    await page.waitForURL((url) => url.pathname !== '/login');
    await page.goto(`${baseUrl}/deployed-strategies`);
    const links = page.locator('main a[href^="/deployed-strategies/"]');
    await links.first().waitFor();
    const addresses = await links.evaluateAll((all) => all.map((one) => one.getAttribute('href')));
    for (const address of new Set(addresses)) {
      await page.goto(`${baseUrl}${address}?tab=explained`);
      await page.getByRole('button', { name: 'Explain the Difference' }).click();
      const panel = page.locator('section[aria-labelledby=bridge]');
      await panel.getByText(/Computed by your browser|nothing to compare yet/).waitFor({ timeout: 60_000 });
      const amounts = await panel.locator('dd').allInnerTexts();
      if (amounts.length === 0) continue;
      const cents = amounts.map(centsOf);
      const mine = cents.pop();
      expect(
        cents.reduce((sum, one) => sum + one, 0),
        amounts.join(' '),
      ).toBe(mine);
      expect(await panel.getByText('Not explained', { exact: true }).count()).toBe(0);
      explained += 1;
    }
    return explained;
  } finally {
    await browser.close();
  }
}

/** Of a text such as "+$1,234.56" or "−$0.42". */
function centsOf(text: string): number {
  const [, sign, amount = ''] = /([+\u2212]?)\$([\d,.]+)/.exec(text) ?? [];
  const cents = Math.round(Number(amount.replaceAll(',', '')) * 100);
  return sign === '\u2212' ? -cents : cents;
}
