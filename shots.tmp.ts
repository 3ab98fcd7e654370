import { launchBrowser } from './tests/support/browser.ts';
import { mkdirSync } from 'node:fs';
const base = 'http://localhost:4900';
const out = process.argv[2]!;
mkdirSync(out, { recursive: true });
const pages = process.argv[3]!.split(',');
const widths = (process.argv[4] ?? '1440,390').split(',').map(Number);
const themes = (process.argv[5] ?? 'dark,light').split(',');
const browser = await launchBrowser();
const ctx0 = await browser.newContext({ viewport: { width: 1440, height: 900 } });
const p0 = await ctx0.newPage();
await p0.goto(base + '/login');
await p0.getByLabel('Email').fill('demo@bellwether.example');
await p0.getByLabel('Password', { exact: true }).fill('demo-investor');
await p0
  .getByRole('button', { name: /Sign In|Login/ })
  .first()
  .click();
await p0.waitForURL(/dashboard/);
await p0.waitForTimeout(2000);
const tokens = (await p0.evaluate(
  `({ t: localStorage.getItem('token'), r: localStorage.getItem('refreshToken') })`,
)) as any;
const dep = (await p0.evaluate(
  `fetch('/api/deployments/', { headers: { authorization: 'Bearer ' + localStorage.getItem('token') } }).then(r => r.json()).then(l => l.map(d => d.id))`,
)) as string[];
const str = (await p0.evaluate(
  `fetch('/api/strategies/').then(r => r.json()).then(l => l.map(d => [d.id, d.name]))`,
)) as any[];
for (const width of widths)
  for (const theme of themes) {
    const ctx = await browser.newContext({ viewport: { width, height: width < 500 ? 844 : 900 } });
    await ctx.addInitScript(
      `localStorage.setItem('theme','${theme}'); localStorage.setItem('token','${tokens.t}'); localStorage.setItem('refreshToken','${tokens.r}');`,
    );
    const page = await ctx.newPage();
    page.on('console', (m) => m.type() === 'error' && console.log('CONSOLE', m.text().slice(0, 200)));
    page.on('pageerror', (e) => console.log('PAGEERROR', String(e).slice(0, 300)));
    for (const spec of pages) {
      const [name, raw] = spec.split('=') as [string, string];
      const url = raw
        .replace('DEP0', dep[0]!)
        .replace('DEP1', dep[1] ?? dep[0]!)
        .replace(/STR:([A-Za-z+]+)/, (_m, n) => str.find(([, s]) => s === n.replaceAll('+', ' '))![0]);
      await page.goto(base + url);
      await page.waitForTimeout(3500);
      await page.screenshot({
        path: `${out}/${name}-${width}-${theme}.png`,
        fullPage: !name.startsWith('top'),
      });
      const over = await page.evaluate(
        `document.documentElement.scrollWidth > document.documentElement.clientWidth`,
      );
      if (over) console.log('OVERFLOW', name, width);
    }
    await ctx.close();
  }
await browser.close();
