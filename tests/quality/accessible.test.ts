// Every address of the product, in both themes and widths: nothing that the rules of accessibility forbid, nothing on
// the console, nothing wider than its window. On the real server between scripted outsides; `npm run quality` goes to
// every dialog and failure too, on a product that has traded, and measures loading.
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { testApp } from '../support/test-app.ts';
import { tradedDeployment } from '../support/test-deployment.ts';
import { brokerId, PASSWORD } from '../support/test-person.ts';
import { wearTheme } from '../support/wear-theme.ts';
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
const places = listPlaces({ strategy: strategies[0].id, deployment: deploymentId }).filter(
  ({ reach, fails }) => reach === undefined && fails === undefined,
);
const account = { email: person.email, password: PASSWORD };

/** What a theme can break: the rest of the rules asks for structure, which is the same in both. */
const THEME_RULES = ['color-contrast', 'link-in-text-block'];
/** What a narrow window can break besides. */
const LAYOUT_RULES = THEME_RULES.concat([
  'target-size',
  'scrollable-region-focusable',
  'button-name',
  'link-name',
  'label',
  'heading-order',
  'region',
]);
const PEOPLE: readonly Who[] = ['visitor', 'investor', 'newcomer', 'support'];

test.for(PEOPLE)('nothing is wrong at any address for the %s', { timeout: 480_000 }, async (who) => {
  const faults: string[] = [];
  const look = { theme: 'dark', width: 1440 } as const;
  const visitor = await openVisitor(browser, { baseUrl, who, look, account });
  for (const place of places.filter((one) => one.who === who))
    faults.push(...(await inspect(visitor, place)));
  await visitor.close();
  expect(faults).toEqual([]);
});

async function inspect(visitor: Visitor, place: Place): Promise<string[]> {
  const { page } = visitor;
  const found: string[] = [];
  await page.setViewportSize({ width: 1440, height: 900 });
  await goTo(page, place);
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await wearTheme(page, 'dark');
    const rules = width === 390 ? LAYOUT_RULES : undefined;
    found.push(...(await listViolations(page, rules)), ...(await listOverflow(page)));
    await wearTheme(page, 'light');
    found.push(...(await listViolations(page, THEME_RULES)));
  }
  return [...found, ...listComplaints(visitor, place)].map((fault) => `${place.name}: ${fault}`);
}
