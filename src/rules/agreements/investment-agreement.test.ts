import { expect, it } from 'vitest';
import { OWNER_TERMS, provider } from '../provider.ts';
import { agreementFor } from './investment-agreement.ts';
import { MODEL_DECIDES_TERM } from './sections.ts';

const client = { name: 'Ana Müller', email: 'ana@example.test', countryName: 'Switzerland' };

it('is a statement of the risks where one person runs the product for themselves: no provider, no number, no fee', () => {
  const statement = agreementFor(client, { installation: 'own', provider: provider(OWNER_TERMS) });
  const text = JSON.stringify(statement);
  expect(statement).toMatchObject({ title: 'Statement of Risks', template: 'statement-of-risks' });
  expect(text).toContain('Ana Müller');
  expect(text).toContain('You may lose part of what you deploy or all of it.');
  expect(text).not.toMatch(/\bfees?\b|agreement|adviser|licen[cs]|under number|\bbill|30%|invoice|plan\b/i);
});

it('is the agreement with the provider for everybody else', () => {
  const terms = { ...OWNER_TERMS, companyName: 'Steady Hand Advisers', licenceNumber: 'FSP 51234' };
  for (const installation of ['provider', 'demonstration'] as const) {
    const { title, preamble, sections } = agreementFor(client, { installation, provider: provider(terms) });
    expect(title).toBe('Investment Agreement');
    expect(preamble[0]).toContain('between Steady Hand Advisers');
    expect(JSON.stringify(sections)).toContain('30% of profit');
  }
});

it.each(['own', 'provider', 'demonstration'] as const)(
  'says what happens when a model that decides gives no answer: %s',
  (installation) => {
    const { sections } = agreementFor(client, { installation, provider: provider(OWNER_TERMS) });
    expect(sections.flatMap(({ paragraphs }) => paragraphs)).toContain(MODEL_DECIDES_TERM);
    expect(MODEL_DECIDES_TERM).toContain('nothing is traded and what is held stays, or everything is sold');
  },
);
