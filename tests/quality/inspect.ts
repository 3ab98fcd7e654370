// The faults of a page in its current state: accessibility rules, console complaints, and overflow.
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import type { Place } from './places.ts';
import type { Visitor } from './visitors.ts';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Violations of WCAG 2.2 A and AA and of axe's best practices. `rules` restricts it to these. */
export async function listViolations(page: Page, rules?: string[]): Promise<string[]> {
  // Its other mode opens a blank page for each check, for frames of other origins; the product has none.
  const axe = new AxeBuilder({ page }).setLegacyMode(true);
  const { violations } = await (rules ? axe.withRules(rules) : axe.withTags(TAGS)).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) =>
        `${id} at ${target.join(' ')}: ${failureSummary?.replaceAll('\n', ' ')}`,
    ),
  );
}

/** What makes the page wider than its window. */
export async function listOverflow(page: Page): Promise<string[]> {
  const [shown, needed] = (await page.evaluate(
    '[document.documentElement.clientWidth, document.documentElement.scrollWidth]',
  )) as [number, number];
  return needed > shown ? [`${needed} px wide in a window of ${shown}`] : [];
}

/** Complaints of the page itself; an intended failure of an answer is none. */
export function listComplaints(visitor: Visitor, place: Place): string[] {
  const expected = place.fails !== undefined || /not found/.test(place.name);
  return visitor
    .takeComplaints()
    .filter((line) => !(expected && /Failed to load resource: .* (500|404)/.test(line)));
}
