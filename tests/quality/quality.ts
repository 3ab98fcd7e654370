// `npm run quality -- [address] [name of one place]`: holds every place of a running product to the limits: no
// violation of accessibility, no complaint on the console, nothing wider than its window, in both themes and widths;
// public pages also to how fast they load and to what search machines ask. Ends with status 1 when a limit is broken.
import type { Browser } from 'playwright-core';
import { DEMO_EMAIL, DEMO_PASSWORD } from '../../src/processes/demo-world/demo-account/demo-user.ts';
import { launchBrowser } from '../support/browser.ts';
import { listComplaints, listOverflow, listViolations } from './inspect.ts';
import { performanceScore } from './lighthouse-score.ts';
import { type FirstFigure, measureFirstFigure } from './first-figure.ts';
import { type Load, measureLoad, middle } from './load.ts';
import { auditPage, categoryScore } from './page-audits.ts';
import { listPlaces, type Place, type Who } from './places.ts';
import { goTo, type Look, openVisitor, signIn, type Visitor } from './visitors.ts';

const LIMITS = { lcp: 1_500, cls: 0.02, scriptBytes: 110 * 1024, score: 95, figure: 1_000 };
const LOADS = 5;
const LOOKS: readonly Look[] = [
  { theme: 'dark', width: 1440 },
  { theme: 'light', width: 1440 },
  { theme: 'dark', width: 390 },
  { theme: 'light', width: 390 },
];

const CATEGORIES = ['performance', 'best practices', 'SEO'];
const WIDTHS = [28, 9, 9, 9, 8, 11, 11, 6, 6, 6];
const HEADINGS = ['page', 'FCP ms', 'LCP ms', 'TBT ms', 'CLS', 'bytes KB', 'JS br KB', 'perf', 'best', 'SEO'];

const baseUrl = (process.argv[2] ?? process.env['BASE_URL'] ?? 'http://localhost:3000').replace(/\/$/, '');
const only = process.argv[3];
const account = { email: DEMO_EMAIL, password: DEMO_PASSWORD };
const faults: string[] = [];

const browser = await launchBrowser();
const places = listPlaces(await findThings()).filter(({ name }) => only === undefined || name === only);
for (const look of LOOKS) {
  for (const who of new Set(places.map((place) => place.who))) await inspectPlaces(browser, look, who);
}
console.log(
  `${places.length} places, two themes, two widths: ${faults.length === 0 ? 'no fault' : `${faults.length} faults`}`,
);
await measurePages(browser);
await measureMoneyScreens(browser);
await browser.close();

console.log(faults.length === 0 ? 'All within the limits.' : `${faults.length} limits broken.`);
process.exit(faults.length === 0 ? 0 : 1);

function complain(fault: string): void {
  faults.push(fault);
  console.log(`✗ ${fault}`);
}

async function findThings() {
  const { token } = await signIn(baseUrl, account);
  const first = async (path: string) => {
    const answer = await fetch(baseUrl + path, { headers: { authorization: `Bearer ${token}` } });
    const id = ((await answer.json()) as { id: string }[])[0]?.id;
    if (id === undefined)
      throw new Error(`${baseUrl}${path} lists nothing: the demo account has to be there.`);
    return id;
  };
  return { strategy: await first('/api/strategies/'), deployment: await first('/api/deployments/') };
}

async function inspectPlaces(browser: Browser, look: Look, who: Who): Promise<void> {
  let visitor: Visitor | null = null;
  for (const place of places.filter((one) => one.who === who)) {
    visitor ??= await openVisitor(browser, { baseUrl, who, look, account });
    const found = await inspect(visitor, place);
    for (const fault of found) complain(`${place.name} (${look.theme}, ${look.width} px): ${fault}`);
  }
  await visitor?.close();
}

async function inspect(visitor: Visitor, place: Place): Promise<string[]> {
  try {
    await goTo(visitor.page, place);
    return [
      ...(await listViolations(visitor.page)),
      ...(await listOverflow(visitor.page)),
      ...listComplaints(visitor, place),
    ];
  } catch (error) {
    return [`could not be reached: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`];
  }
}

async function measurePages(browser: Browser): Promise<void> {
  console.log(HEADINGS.map(align).join(''));
  for (const place of places.filter(({ isPublic }) => isPublic)) {
    const loads: Load[] = [];
    for (let i = 0; i < LOADS; i++) loads.push(await measureLoad(browser, baseUrl + place.path));
    const load = middle(loads);
    const scores = [performanceScore(load), ...(await auditScores(browser, place))];
    console.log(row(place.name, load, scores));
    const over = (is: boolean, what: string) => {
      if (is) complain(`${place.name}: ${what}`);
    };
    over(load.lcp > LIMITS.lcp, `largest paint after ${load.lcp.toFixed(0)} ms (${load.largest})`);
    over(load.cls > LIMITS.cls, `layout shift ${load.cls.toFixed(3)}: ${load.moved.join('; ')}`);
    over(load.scriptBytes > LIMITS.scriptBytes, `${(load.scriptBytes / 1024).toFixed(1)} KB of scripts`);
    for (const [i, score] of scores.entries())
      over(score < LIMITS.score, `${CATEGORIES[i]} scores ${score.toFixed(0)}`);
  }
}

/** The middle of several visits, first and later ones. */
async function measureMoneyScreens(browser: Browser): Promise<void> {
  const session = await signIn(baseUrl, account);
  console.log(['money screen', 'first ms', 'later ms', 'CLS'].map(align).join(''));
  for (const { name, path } of places.filter(({ isOfMoney }) => isOfMoney)) {
    const measured = { first: [] as FirstFigure[], later: [] as FirstFigure[] };
    for (let i = 0; i < LOADS; i++)
      for (const visit of ['first', 'later'] as const)
        measured[visit].push(await measureFirstFigure(browser, { baseUrl, path, session, visit }));
    const of = (visit: 'first' | 'later', key: keyof FirstFigure) =>
      measured[visit].map((one) => one[key]).toSorted((a, b) => a - b)[Math.floor(LOADS / 2)]!;
    const [first, later, cls] = [of('first', 'figure'), of('later', 'figure'), of('first', 'cls')];
    console.log([name, first.toFixed(0), later.toFixed(0), cls.toFixed(3)].map(align).join(''));
    for (const [visit, figure] of Object.entries({ first, later }))
      if (figure > LIMITS.figure)
        complain(`${name}: its first figure stands there after ${figure.toFixed(0)} ms of a ${visit} visit`);
    if (cls > LIMITS.cls) complain(`${name}: layout shift ${cls.toFixed(3)}`);
  }
}

/** Accessibility is held to no violation at all above, which is Lighthouse's 100. */
async function auditScores(browser: Browser, place: Place): Promise<number[]> {
  const visitor = await openVisitor(browser, {
    baseUrl,
    who: 'visitor',
    look: { theme: 'dark', width: 390 },
    account,
  });
  await goTo(visitor.page, place);
  const audited = await auditPage(visitor.page, place.path, listComplaints(visitor, place));
  await visitor.close();
  for (const { audit, fault } of audited) complain(`${place.name}: ${audit}: ${fault}`);
  return [categoryScore(audited, 'best-practices'), categoryScore(audited, 'seo')];
}

function row(name: string, load: Load, scores: readonly number[]): string {
  const { fcp, lcp, tbt, cls, bytes, scriptBytes } = load;
  const cells = [name, fcp.toFixed(0), lcp.toFixed(0), tbt.toFixed(0), cls.toFixed(3)];
  cells.push(
    (bytes / 1024).toFixed(1),
    (scriptBytes / 1024).toFixed(1),
    ...scores.map((score) => score.toFixed(0)),
  );
  return cells.map(align).join('');
}

function align(text: string, column: number): string {
  const width = WIDTHS[column] ?? 8;
  return column === 0 ? text.padEnd(width) : text.padStart(width);
}
