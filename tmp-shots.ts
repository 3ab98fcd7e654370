import { launchBrowser } from '#tests/support/browser.ts';
const base = 'http://localhost:3577';
const browser = await launchBrowser();
const paths: [string, string][] = JSON.parse(process.argv[2]!);
let first = true;
for (const theme of ['dark', 'light'] as const)
  for (const width of [390, 1440]) {
    const context = await browser.newContext({ viewport: { width, height: width === 390 ? 844 : 900 }, colorScheme: theme });
    const page = await context.newPage();
    await page.goto(`${base}/login`);
    await page.evaluate((t) => localStorage.setItem('theme', t), theme);
    await page.getByLabel(/email/i).fill('demo@bellwether.example');
    await page.locator('input[type=password]').fill('demo-investor');
    await page.locator('form button[type=submit]').click();
    await page.waitForURL(/dashboard/, { timeout: 60000 });
    if (first) {
      first = false;
      const out = await page.evaluate(async () => {
        const token = [...Array(localStorage.length).keys()].map((i) => localStorage.getItem(localStorage.key(i)!)!).find((v) => v.startsWith('ey'));
        const res: unknown[] = [];
        for (const q of ['period=year', 'period=quarter', 'period=month', 'period=day', 'period=year&method=lifo', 'period=year&method=highest_cost']) {
          const t0 = performance.now();
          const r = await fetch(`/api/statements/?${q}`, { headers: { authorization: `Bearer ${token}` } });
          const b = await r.json();
          res.push([q, r.status, Math.round(performance.now() - t0), b.from, b.total, b.lots?.length, b.lots?.filter((l: any) => l.disallowed > 0).length, b.deployments?.map((d: any) => [d.strategy_name, d.residual])]);
        }
        return res;
      });
      console.log(JSON.stringify(out, null, 1));
    }
    for (const [name, path] of paths) {
      await page.goto(base + path);
      await page.waitForTimeout(3500);
      await page.screenshot({ path: `/tmp/shots-portfolio/${name}-${theme}-${width}.png`, fullPage: true });
    }
    await context.close();
  }
await browser.close();
