import { afterAll, expect, test } from 'vitest';
import { launchBrowser } from '#tests/support/browser.ts';
import { attackedDraft, checkedDraft } from '#tests/support/checked-draft.ts';
import { violationsInEveryLook } from '#tests/support/every-look.ts';
import { giveRole } from '#tests/support/give-role.ts';
import { testApp } from '#tests/support/test-app.ts';
import { newDeployment } from '#tests/support/test-deployment.ts';
import { signedInPerson, type TestPerson } from '#tests/support/test-person.ts';
import { publishedStrategy } from '#tests/support/test-strategy.ts';
import { agree } from '#tests/support/two-people.ts';
import { openWatchedPage, type WatchedPage } from '#tests/support/watched-page.ts';
import { WEB_ROOT } from '#tests/support/web-root.ts';
import { DRAFT, listInstruments } from '../api/scene.ts';

// What takes two people at the provider, and what asks a client for a new agreement, in a real browser on the real server.
const browser = await launchBrowser();
afterAll(() => browser.close());
const app = await testApp({ webRoot: WEB_ROOT });
const { pool } = app.records;
const base = await app.app.listen({ port: 0, host: '127.0.0.1' });
const LONG = { timeout: 240_000 };

async function pageOf(person?: TestPerson): Promise<WatchedPage> {
  const watched = await openWatchedPage(browser, base);
  if (person === undefined) return watched;
  await watched.page.goto('/robots.txt');
  await watched.page.evaluate(
    `localStorage.setItem('token', '${person.token}'); localStorage.setItem('refreshToken', '${person.refresh}')`,
  );
  return watched;
}

async function member(role: 'provider' | 'support'): Promise<TestPerson> {
  const person = await signedInPerson(app);
  await giveRole(app.records, person, role);
  return person;
}

/** By name, as the author does in the draft. */
async function accept(id: string, author: TestPerson): Promise<void> {
  await pool.query(`update users set first_name = 'Ada', last_name = 'Lovelace' where id = $1`, [author.id]);
  const body = { verdict: 'doubtful', name: 'Ada Lovelace' };
  await app.request({
    method: 'POST',
    url: `/api/strategies/${id}/attack/accept/`,
    token: author.token,
    body,
  });
}

/** Accessibility in both themes and widths; SHOTS names a folder for pictures of them. */
test('one of the provider proposes to publish, a colleague approves', LONG, async () => {
  const [ada, ben] = [await member('provider'), await member('provider')];
  await publishedStrategy(app);
  const id = await publishedStrategy(app, { status: 'draft' });
  await pool.query(`update strategies set owner_id = $1, name = 'Quiet Harbour' where id = $2`, [ada.id, id]);
  await attackedDraft(app, id, 'doubtful');
  await accept(id, ada);
  const hers = await pageOf(ada);
  await hers.page.goto('/catalogue');
  await hers.page.getByRole('heading', { name: 'Catalogue', level: 1 }).waitFor();
  await hers.page.getByRole('button', { name: 'Propose to publish: Quiet Harbour' }).click();
  await hers.page.getByRole('dialog').getByLabel('Why').fill('its figures are checked');
  expect(await violationsInEveryLook(hers)).toEqual([]);
  await hers.page.getByRole('dialog').getByRole('button', { name: 'Propose' }).click();
  await hers.page.getByRole('heading', { name: 'Waiting for a second person' }).waitFor();
  await hers.page.getByRole('button', { name: 'Withdraw: Quiet Harbour' }).waitFor();
  await hers.page.getByRole('button', { name: 'Propose to hide: visitors' }).click();
  await hers.page.getByRole('dialog').getByLabel('Why').fill('only people whom we know may see them');
  await hers.page.getByRole('dialog').getByRole('button', { name: 'Propose' }).click();
  await hers.page.getByRole('button', { name: 'Withdraw: visitors' }).waitFor();

  const his = await pageOf(ben);
  await his.page.goto('/catalogue');
  await his.page.getByText('proposes to publish this strategy').waitFor();
  expect(await violationsInEveryLook(his)).toEqual([]);
  await his.page.getByRole('button', { name: 'Approve: Quiet Harbour' }).click();
  const dialog = his.page.getByRole('dialog');
  await dialog.getByText('The attack found “Doubtful”. Ada Lovelace, who wrote it').waitFor();
  expect(await dialog.getByRole('button', { name: 'Approve' }).isDisabled()).toBe(true);
  expect(await violationsInEveryLook(his)).toEqual([]);
  await dialog.getByRole('link', { name: 'See the attack and the rules first' }).click();
  await his.page.getByRole('heading', { name: 'Before it is published' }).waitFor();
  await his.page.getByRole('table', { name: 'What each attack found' }).waitFor();
  await his.page.getByText('Ada Lovelace, who wrote it, accepted “Doubtful” by name').waitFor();
  expect(await violationsInEveryLook(his)).toEqual([]);
  await his.page.goto('/catalogue');
  await his.page.getByRole('button', { name: 'Approve: Quiet Harbour' }).click();
  await dialog.getByLabel('What you looked at').fill('its attack and its worst months');
  await dialog.getByRole('button', { name: 'Approve' }).click();
  await his.page.getByText('proposes to publish this strategy').waitFor({ state: 'detached' });
  const { rows } = await pool.query('select status, owner_id from strategies where id = $1', [id]);
  expect(rows).toEqual([{ status: 'published', owner_id: null }]);

  const visitor = await pageOf();
  await visitor.page.goto('/marketplace');
  await visitor.page.getByRole('link', { name: 'Quiet Harbour' }).first().waitFor();
  await his.page.getByRole('button', { name: 'Approve: visitors' }).click();
  await his.page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await his.page.getByRole('button', { name: 'Propose to show: visitors' }).waitFor();
  for (const address of ['/marketplace', `/strategy/${id}`, '/']) {
    await visitor.page.goto(address);
    await visitor.page.getByText('we do not show them to visitors').first().waitFor();
    expect(await violationsInEveryLook(visitor)).toEqual([]);
  }
  await pool.query(`insert into figure_switches (status, is_shown) values ('visitor', true)`);
  for (const { page } of [hers, his, visitor]) await page.context().close();
});

test(
  'the next version of a published strategy is written at its desk, and its differences stay there',
  LONG,
  async () => {
    await listInstruments(app);
    const [ada, ben] = [await member('provider'), await member('provider')];
    const definition = JSON.parse(DRAFT.definition) as object;
    const id = await publishedStrategy(app, { name: 'Steady Pair', definition });
    const hers = await pageOf(ada);
    await hers.page.goto('/catalogue');
    await hers.page.getByRole('link', { name: 'Steady Pair' }).click();
    await hers.page.getByText('Nobody trades by it.').waitFor();
    await hers.page.getByRole('button', { name: 'Write the Next Version' }).click();
    await hers.page.waitForURL('**/strategy/new?draft=*');
    const draft = new URL(hers.page.url()).searchParams.get('draft')!;
    await app.request({
      method: 'POST',
      url: `/api/strategies/${draft}/tune/`,
      token: ada.token,
      body: { values: { 'rule.enterLong.right': 31 } },
    });
    await checkedDraft(app, draft);
    await hers.page.goto(`/catalogue/${draft}`);
    await hers.page.getByText('To become the next version of').waitFor();
    await hers.page.getByText('What changes from version 1 of Steady Pair').waitFor();
    const checks = hers.page.getByRole('region', { name: 'Before it is published' });
    await checks.locator('ins', { hasText: 'The close is above 31' }).waitFor();
    expect(await violationsInEveryLook(hers)).toEqual([]);
    await agree(app, [ada, ben], { action: 'publish', subject: draft });
    await hers.page.goto(`/catalogue/${id}`);
    await hers.page.getByText('Version 2').waitFor();
    await hers.page.getByText('The close is above 31').waitFor();
    expect(await hers.page.locator('del').innerText()).toContain('The close is above 30');
    expect(await violationsInEveryLook(hers)).toEqual([]);
    expect(hers.takeErrors()).toEqual([]);
    await hers.page.context().close();
  },
);

test('who signed an older agreement is asked for the new one, and support sets a day', LONG, async () => {
  const { person, deploymentId } = await newDeployment(app);
  await pool.query(`update agreements set version = '2026-11' where user_id = $1`, [person.id]);
  const client = await pageOf(person);
  for (const address of ['/dashboard', `/deployed-strategies/${deploymentId}`, '/account']) {
    await client.page.goto(address);
    await client.page.getByText('The investment agreement has changed').waitFor();
    await client.page.getByText('What is new in it').click();
    await client.page.getByText('You need the new wording to resume').waitFor();
    expect(await violationsInEveryLook(client)).toEqual([]);
  }
  const support = await pageOf(await member('support'));
  await support.page.goto('/operations');
  await support.page.getByText('1 client signed only an older version.').waitFor();
  await support.page.getByRole('button', { name: /^Set a day/ }).click();
  const dialog = support.page.getByRole('dialog');
  const day = new Date(app.world.now + 40 * 86_400_000).toISOString().slice(0, 10);
  await dialog.getByLabel('Day').fill(day);
  await dialog.getByLabel('Why').fill('the new wording is needed');
  expect(await violationsInEveryLook(support)).toEqual([]);
  await dialog.getByRole('button', { name: 'Propose' }).click();
  await support.page.getByText('proposes that clients must sign by').waitFor();
  expect(await violationsInEveryLook(support)).toEqual([]);
  await pool.query(
    `insert into agreement_deadlines (version, sign_by) values ('2026-11-27', now() - interval '1 day')`,
  );
  await client.page.goto('/dashboard');
  await client.page.getByText('Nothing new is opened: sign the new agreement').waitFor();
  expect(await violationsInEveryLook(client)).toEqual([]);
  for (const { page } of [client, support]) await page.context().close();
});
