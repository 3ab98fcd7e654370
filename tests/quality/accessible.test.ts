// Every place of the product, in both themes and widths: nothing that the rules of accessibility forbid, nothing on the
// console, nothing wider than its window. On the real server between scripted outsides; `npm run quality` does the same,
// and measures loading, on a product that has traded.
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { testApp } from '../support/test-app.ts';
import { tradedDeployment } from '../support/test-deployment.ts';
import { brokerId, PASSWORD } from '../support/test-person.ts';
import { listComplaints, listOverflow, listViolations } from './inspect.ts';
import { listPlaces, type Place, type Who } from './places.ts';
import { goTo, openVisitor, type Visitor } from './visitors.ts';

const app = await testApp({ webRoot: path.resolve(import.meta.dirname, '../../src/web/dist') });
const baseUrl = await app.app.listen({ port: 0, host: '127.0.0.1' });
const browser = await launchBrowser();
afterAll(() => browser.close());

const { person, deploymentId } = await tradedDeployment(app);
await brokerId(app, 'alpaca');
const { body: strategies } = await app.request({ method: 'GET', url: '/api/strategies/' });
const places = listPlaces({ strategy: strategies[0].id, deployment: deploymentId });
const account = { email: person.email, password: PASSWORD };

/** What a theme can break: the rest of the rules asks for structure, which is the same in both. */
const THEME_RULES = ['color-contrast', 'link-in-text-block'];

const PEOPLE: readonly Who[] = ['visitor', 'investor', 'newcomer', 'unsigned', 'ineligible'];

test.for(PEOPLE)('nothing is wrong anywhere for a person who is: %s', { timeout: 120_000 }, async (who) => {
  const faults: string[] = [];
  for (const width of [1440, 390] as const) {
    const visitor = await openVisitor(browser, { baseUrl, who, look: { theme: 'dark', width }, account });
    for (const place of places.filter((one) => one.who === who)) {
      const found = await inspectBothThemes(visitor, place);
      faults.push(...found.map((fault) => `${place.name} (${width} px): ${fault}`));
    }
    await visitor.close();
  }
  expect(faults).toEqual([]);
});

async function inspectBothThemes(visitor: Visitor, place: Place): Promise<string[]> {
  const { page } = visitor;
  await goTo(page, place);
  const dark = await listViolations(page);
  await page.evaluate("document.documentElement.dataset.theme = 'light'");
  const light = await listViolations(page, THEME_RULES);
  return [...dark, ...light, ...(await listOverflow(page)), ...listComplaints(visitor, place)];
}
