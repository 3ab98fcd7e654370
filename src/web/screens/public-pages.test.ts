import { beforeAll, expect, test } from 'vitest';
import { FICTITIOUS_TERMS } from '#rules/provider.ts';
import { providerStatements, STATEMENT_PLACES } from '#rules/provider-statements.ts';
import { renderPage } from '../prerender/render-page.tsx';

const pages = new Map<string, string>();

beforeAll(async () => {
  const paths = [
    '/faq',
    '/hypothetical-performance-disclosures',
    '/legal-disclosures',
    '/privacy-policy',
    '/terms-of-use',
    '/cookie-policy',
    '/aml-program',
    '/broker-documentations',
  ];
  for (const path of paths) {
    // Header and footer say some of it on every page.
    const [html = ''] = /<main[\s\S]*<\/main>/.exec(await renderPage(path)) ?? [];
    const text = html
      .replaceAll(/<!--.*?-->|<[^>]+>/g, '')
      .replaceAll('&#x27;', "'")
      .replaceAll('&amp;', '&');
    pages.set(path, asServed(text).replaceAll(/\s+/g, ' '));
  }
}, 60_000);

/** The server writes these sentences of a company into the document. */
function asServed(text: string): string {
  const said = providerStatements(FICTITIOUS_TERMS);
  return (['introduction', 'complaints'] as const).reduce(
    (filled, name) => filled.replaceAll(STATEMENT_PLACES[name], said[name]),
    text,
  );
}

/** Specification sections 1, 2 and 9: what the texts say must agree with the constants of the business. */
test.each([
  ['/faq', 'the summary is dated', /2 Jun(?:e)? 2025/],
  ['/faq', 'thirty percent of profit', /30% of (?:your )?profit/],
  ['/faq', 'no other fee', /no (?:management|retainer)/i],
  ['/faq', 'billed weekly or monthly', /weekly or monthly/],
  ['/faq', 'due within five days', /within (?:5|five) days/],
  ['/faq', 'a missed payment closes the account', /clos/i],
  ['/faq', 'for the United States', /United States/],
  ['/faq', 'for Switzerland', /Switzerland/],
  ['/faq', 'for India', /India/],
  ['/faq', 'from eighteen', /\b18\b/],
  ['/faq', 'strategies at or below the own score', /at or below/],
  ['/legal-disclosures', 'licensed in South Africa', /South Africa/],
  ['/legal-disclosures', 'thirty percent of profit', /30%/],
  ['/privacy-policy', 'records for five years', /(?:5|five) years/],
  ['/terms-of-use', 'the law of South Africa', /South Africa/],
  ['/terms-of-use', 'the courts of Johannesburg', /Johannesburg/],
  ['/terms-of-use', 'no jury', /jury/i],
  ['/aml-program', 'records for five years', /(?:5|five) years/],
  ['/hypothetical-performance-disclosures', 'hypothetical results', /hypothetical/i],
  ['/cookie-policy', 'what the browser keeps', /browser/i],
  ['/broker-documentations', 'Interactive Brokers is available', /Interactive Brokers.*Available/],
  ['/broker-documentations', 'others are coming', /Coming soon/],
  ['/broker-documentations', 'four steps of set-up', /4\b|four/i],
  ['/broker-documentations', 'the daily reset', /23:45.*00:45/],
  ['/broker-documentations', 'how to deploy', /Deploy Now/],
])('%s says: %s', (path, _statement, words) => {
  expect(pages.get(path)).toMatch(words);
});

test('only the demonstration shows figures that nobody measured, and it says so', async () => {
  const demonstration = await renderPage('/', 'demonstration');
  expect(demonstration).toContain('$245M');
  expect(demonstration).toContain('Illustrative figures supplied by the provider.');
  for (const installation of ['provider', 'own'] as const) {
    const home = await renderPage('/', installation);
    expect(home).toContain('AI trading strategies you can check before you trust them');
    expect(home).not.toMatch(/\$245M|24\.5%|1\.68|Illustrative/);
  }
});

test('where one person runs it for themselves, no page speaks of a fee, an agreement or an adviser', async () => {
  for (const path of ['/', ...pages.keys()]) {
    const html = await renderPage(path, 'own');
    expect(html.replaceAll(/<[^>]+>/g, ' '), path).not.toMatch(
      /\bfees?\b|agreement|\bwe are paid|adviser|licensed|30%/i,
    );
  }
});

test('some page says how old prices are, and that the day-trading rule was replaced', () => {
  const all = [...pages.values()].join(' ');
  expect(all).toMatch(/15 minutes/);
  expect(all).toMatch(/updated daily|once a day|daily/);
  expect(all).toMatch(/\$25,000[^.]*\..{0,400}2026/);
});
