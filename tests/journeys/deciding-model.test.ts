// The page of a strategy that a model decides: what the model may know is drawn apart, its probes stand beside the plain record, and
// its answers are listed with what they cost.
import type { Page } from 'playwright-core';
import { afterAll, afterEach, expect, test } from 'vitest';
import type { StrategyDetail } from '#contract/strategies/strategies.ts';
import { launchBrowser } from '#tests/support/browser.ts';
import { storeMarket } from '#tests/support/committed-strategy.ts';
import { decidedStrategy } from '#tests/support/decided-strategy.ts';
import { allOn, decidingModel, saying } from '#tests/support/deciding-model.ts';
import { columnsOf } from '#tests/support/person-page.ts';
import { testApp } from '#tests/support/test-app.ts';
import { openWatchedPage, type WatchedPage } from '#tests/support/watched-page.ts';
import { WEB_ROOT } from '#tests/support/web-root.ts';

const browser = await launchBrowser();
const app = await testApp({ webRoot: WEB_ROOT });
const base = await app.app.listen({ port: 0, host: '127.0.0.1' });
afterAll(() => browser.close());

const bars = await storeMarket(app.records.database);
const committedAt = bars[499]!.closedAt;
app.world.marketNow = committedAt;
const knowledgeUntil = bars[249]!.date;
/** One close of each week is decided at. */
const lastWeek = bars[493]!.date;
/** Masked it puts half of the money elsewhere. The last close finds no answer. */
const model = decidingModel(({ messages }) => {
  const [json = ''] = messages[0]!.text.split('\n\n');
  const { date } = JSON.parse(json) as { date?: string };
  if (date !== undefined) return date < lastWeek ? allOn('AAA') : saying({ weights: 'much' });
  const half = (nth: number) => ({ instrument: `instrument ${nth}`, percent: 50 });
  return saying({ weights: [half(1), half(2)] });
});
const { version } = await decidedStrategy(app.records.database, model, {
  slug: 'round-table',
  rule: { knowledgeUntil, withoutAnswer: 'flat' },
  committedAt,
});
const shown: StrategyDetail = (await app.request({ url: `/api/strategies/${version.strategyId}/` })).body;
const decider = shown.decider!;

let watched: WatchedPage;
let page: Page;
afterEach(() => watched.context.close());

async function open(width: number): Promise<void> {
  watched = await openWatchedPage(browser, base);
  ({ page } = watched);
  await page.setViewportSize({ width, height: 900 });
  await page.goto(`/strategy/${version.strategyId}?tab=model`);
  await page.getByRole('region', { name: 'What the model may know' }).waitFor();
}

/** On a narrow page each cell says its column too. */
async function rowsOf(table: string): Promise<string[][]> {
  const columns = await columnsOf(page, table);
  const [, ...rows] = await page.getByRole('table', { name: table }).getByRole('row').all();
  const withColumn = await Promise.all(rows.map((row) => row.getByRole('cell').allInnerTexts()));
  return withColumn.map((cells) =>
    cells.map((text, i) => (text.startsWith(columns[i]!) ? text.slice(columns[i]!.length).trim() : text)),
  );
}

test.each([390, 1440])('the tab Model tells clock, probes, costs and answers, at %i px', async (width) => {
  await open(width);
  const say = (text: string | RegExp) => page.getByText(text).first().waitFor();
  await say('These are answers of a stand-in');
  await say('Everything is sold, until the next answer');
  const clock = page.getByRole('region', { name: 'What the model may know' });
  await clock.getByRole('slider').waitFor();
  await clock.getByText(/The model may have learned what happened until/).waitFor();
  await clock.getByText(/that it made in them prove nothing/).waitFor();

  expect((await columnsOf(page, 'Leak probes'))[4]).toBe('Money alike');
  const probes = await rowsOf('Leak probes');
  expect(probes.map(([asked, , , , alike, agree]) => [asked, alike, agree])).toEqual([
    ['As it is asked', '100%', '100%'],
    ['Without names, dates and prices', '50%', '100%'],
    ['Every number up to 1% off', '100%', '100%'],
  ]);
  expect(decider.probes[0]!.known_annual_return).not.toBe(decider.probes[1]!.known_annual_return);

  const answers = await rowsOf('The newest answers');
  expect(answers).toHaveLength(decider.newest.length);
  expect(answers[0]).toEqual(
    expect.arrayContaining(['It did not fit the form', '$0.01', decider.newest[0]!.prompt_hash.slice(0, 12)]),
  );
  expect(answers[1]).toEqual(expect.arrayContaining(['AAA 100%', '100%', '$0.01']));
  await say(`${decider.answered} of ${decider.decisions} decisions had an answer`);
  expect(decider.decisions - decider.answered).toBe(1);
  expect(decider.cost).toBeCloseTo(decider.decisions * 0.012, 9);

  const folder = process.env['SHOTS'];
  if (folder) await page.screenshot({ path: `${folder}/decider-${width}.png`, fullPage: true });
  expect(await watched.violations()).toEqual([]);
  expect(watched.takeErrors()).toEqual([]);
});

test('the days that the model knows are in no figure of the page', async () => {
  await open(1280);
  expect(decider.knowledge_until).toBe(knowledgeUntil);
  const clock = page.getByRole('slider', { name: /^What the model may know/ });
  const before = await clock.getAttribute('aria-valuemax');
  await page.getByRole('tab', { name: 'Evidence', exact: true }).click();
  expect(new URL(page.url()).searchParams.get('tab')).toBe('evidence');
  await page.getByRole('heading', { name: 'How much to trust this' }).waitFor();
  await page.goBack();
  await clock.waitFor();
  expect(await clock.getAttribute('aria-valuemax')).toBe(before);
  expect(shown.samples.known!.to <= knowledgeUntil).toBe(true);
  expect(shown.samples.in_sample!.from >= knowledgeUntil).toBe(true);
});
