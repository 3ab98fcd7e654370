// Support and the jobs that failed for good: read in every look, one sent again, one discarded.
import { afterAll, expect, test } from 'vitest';
import { deliverMails } from '../support/deliver-mails.ts';
import { supportPerson } from '../api/scene.ts';
import { launchBrowser } from '../support/browser.ts';
import { addDeadLetter } from '../support/dead-letter.ts';
import { violationsInEveryLook } from '../support/every-look.ts';
import { testApp } from '../support/test-app.ts';
import { signedInPerson } from '../support/test-person.ts';
import { openWatchedPage } from '../support/watched-page.ts';
import { WEB_ROOT } from '../support/web-root.ts';
import type { UserId } from '../../src/units/identifiers.ts';

const app = await testApp({ webRoot: WEB_ROOT });
const base = await app.app.listen({ port: 0, host: '127.0.0.1' });
const browser = await launchBrowser();
afterAll(() => browser.close());

test('support reads why a job failed, sends one again and discards another', async () => {
  const { world, dependencies, request, records } = app;
  const client = await signedInPerson(app);
  await request({ method: 'POST', url: '/api/auth/password/reset/', body: { email: client.email } });
  world.mailOutcome = { outcome: 'refused', mayPass: false, reason: '550 no such mailbox' };
  await deliverMails(dependencies);
  world.mailOutcome = { outcome: 'sent' };
  await addDeadLetter(records.database, 'plan-renewals', {
    data: { userId: client.id as UserId },
    key: client.id,
    output: { code: 'payment_unanswered', detail: 'no answer within 30 s' },
  });

  const support = await supportPerson(app);
  const watched = await openWatchedPage(browser, base);
  const { page } = watched;
  await page.goto('/robots.txt');
  await page.evaluate(
    `localStorage.setItem('token', '${support.token}'); localStorage.setItem('refreshToken', '${support.refresh}')`,
  );
  await page.goto('/operations');
  await page.getByText('2 items to review').waitFor();
  const list = page.getByRole('region', { name: /^Failed jobs/ });
  await list.getByRole('heading', { name: 'E-mail: password reset' }).waitFor();
  await list.getByText('The mail server rejected it.').waitFor();
  await list.getByText('550 no such mailbox').waitFor();
  expect(await violationsInEveryLook(watched)).toEqual([]);

  await list.getByRole('button', { name: /^Retry: E-mail/ }).click();
  await page.getByText('The job is queued again').waitFor();
  expect(await deliverMails(dependencies)).toBe(1);
  await list.getByRole('button', { name: /^Discard: Plan renewal/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Keep it' }).click();
  await list.getByRole('button', { name: /^Discard: Plan renewal/ }).click();
  expect(await watched.violations()).toEqual([]);
  await dialog.getByRole('button', { name: 'Discard' }).click();
  await list.getByText('No failed jobs.').waitFor();
  expect(watched.takeErrors()).toEqual([]);
  await watched.context.close();
}, 120_000);
