// The audits of Lighthouse's categories 'SEO' and 'best practices' that do not ask the network or a library database,
// made by hand on a loaded public page. Each answers what is wrong, in a line.
import type { CDPSession, Page, Response } from 'playwright-core';

export type Audited = {
  readonly category: 'seo' | 'best-practices';
  readonly audit: string;
  readonly fault: string;
};

/** Reloads the page and audits it; `complaints` is what its console said. */
export async function auditPage(page: Page, path: string, complaints: readonly string[]): Promise<Audited[]> {
  const session = await page.context().newCDPSession(page);
  const issues = await collectIssues(session);
  const response = await page.goto(path, { waitUntil: 'load' });
  if (response === null) throw new Error(`${path} answered nothing.`);
  const robots = await page.request.get('/robots.txt');
  const found: Audited[] = [];
  const seo = (audit: string, fault: string | false | null) =>
    fault && found.push({ category: 'seo', audit, fault });
  const practice = (audit: string, fault: string | false | null) =>
    fault && found.push({ category: 'best-practices', audit, fault });

  const facts = await readFacts(page);
  const canonical = canonicalOf(response);
  seo('http-status-code', response.status() !== 200 && `status ${response.status()}`);
  seo('document-title', facts.title === '' && 'no title');
  seo('meta-description', facts.description.length < 50 && `description: '${facts.description}'`);
  seo('is-crawlable', /noindex/.test(facts.robots + (response.headers()['x-robots-tag'] ?? '')) && 'noindex');
  seo('robots-txt', !isRobotsFile(await robots.text()) && 'robots.txt has lines that are none of its own');
  seo('canonical', canonical !== new URL(path, page.url()).href && `canonical is ${canonical}`);
  seo('link-text', facts.vagueLinks.length > 0 && `links say only ${facts.vagueLinks.join(', ')}`);
  seo('crawlable-anchors', facts.deadLinks > 0 && `${facts.deadLinks} links lead nowhere`);
  seo('image-alt', facts.imagesWithoutText > 0 && `${facts.imagesWithoutText} images without alt`);
  seo('html-has-lang', facts.lang === '' && 'no language');
  practice('doctype', facts.doctype !== 'html' && `doctype ${facts.doctype}`);
  practice('charset', facts.charset !== 'UTF-8' && `charset ${facts.charset}`);
  practice('viewport', !/width=device-width/.test(facts.viewport) && 'no viewport');
  practice('errors-in-console', complaints.length > 0 && complaints.join('; '));
  practice('inspector-issues', issues.length > 0 && issues.join('; '));
  practice('image-aspect-ratio', facts.stretchedImages > 0 && `${facts.stretchedImages} stretched images`);
  practice('paste-preventing-inputs', facts.pasteRefused > 0 && 'an input refuses paste');
  practice('csp-xss', cspFault(response));
  for (const header of ['x-content-type-options', 'referrer-policy', 'cross-origin-opener-policy'])
    practice(header, response.headers()[header] === undefined && 'not set');
  await session.detach();
  return found;
}

/** Of Lighthouse: audits of a category weigh the same, and the score is the share that passes. */
export function categoryScore(audited: readonly Audited[], category: Audited['category']): number {
  const faults = audited.filter((one) => one.category === category).length;
  return 100 * (1 - faults / AUDITS[category]);
}

const AUDITS = { seo: 10, 'best-practices': 11 } as const;
const VAGUE = [
  'click here',
  'click this',
  'go',
  'here',
  'information',
  'learn more',
  'more',
  'more info',
  'right here',
  'start',
  'this',
];

/** Deprecations, blocked requests, cookie and policy faults, as the developer tools' Issues panel lists them. */
async function collectIssues(session: CDPSession): Promise<string[]> {
  const issues: string[] = [];
  session.on('Audits.issueAdded', ({ issue }) => issues.push(issue.code));
  await session.send('Audits.enable');
  return issues;
}

type Facts = {
  readonly title: string;
  readonly description: string;
  readonly robots: string;
  readonly viewport: string;
  readonly lang: string;
  readonly doctype: string;
  readonly charset: string;
  readonly vagueLinks: readonly string[];
  readonly deadLinks: number;
  readonly imagesWithoutText: number;
  readonly stretchedImages: number;
  readonly pasteRefused: number;
};

async function readFacts(page: Page): Promise<Facts> {
  return (await page.evaluate(`(() => {
    const meta = (name) => document.querySelector('meta[name="' + name + '"]')?.getAttribute('content') ?? '';
    const links = [...document.querySelectorAll('a')];
    const images = [...document.querySelectorAll('img')];
    const isStretched = ({ naturalWidth, naturalHeight, width, height }) =>
      naturalWidth > 0 && height > 0 && Math.abs(naturalWidth / naturalHeight - width / height) > 0.1 * (width / height);
    const refusesPaste = (input) =>
      !input.dispatchEvent(new ClipboardEvent('paste', { cancelable: true, bubbles: true }));
    return {
      title: document.title,
      description: meta('description'),
      robots: meta('robots'),
      viewport: meta('viewport'),
      lang: document.documentElement.lang,
      doctype: document.doctype?.name ?? 'none',
      charset: document.characterSet,
      vagueLinks: links
        .map((link) => link.textContent.trim().toLowerCase())
        .filter((text) => ${JSON.stringify(VAGUE)}.includes(text)),
      deadLinks: links.filter((link) => !/^(?!javascript:)./.test(link.getAttribute('href') ?? '')).length,
      imagesWithoutText: images.filter((image) => !image.hasAttribute('alt')).length,
      stretchedImages: images.filter(isStretched).length,
      pasteRefused: [...document.querySelectorAll('input')].filter(refusesPaste).length,
    };
  })()`)) as Facts;
}

function canonicalOf(response: Response): string | null {
  return /<([^>]+)>;\s*rel="canonical"/.exec(response.headers()['link'] ?? '')?.[1] ?? null;
}

function isRobotsFile(text: string): boolean {
  return text
    .split('\n')
    .every(
      (line) => line.trim() === '' || /^(#|(user-agent|disallow|allow|sitemap|crawl-delay):)/i.test(line),
    );
}

function cspFault(response: Response): string | null {
  const policy = response.headers()['content-security-policy'] ?? '';
  if (!/script-src [^;]*'self'/.test(policy)) return 'no policy for scripts';
  if (/unsafe-inline|unsafe-eval'(?<!wasm-unsafe-eval')|script-src[^;]*\*/.test(policy)) return policy;
  for (const needed of ["base-uri 'none'", "object-src 'none'", 'require-trusted-types-for'])
    if (!policy.includes(needed)) return `the policy has no ${needed}`;
  return null;
}
