import type { EarlyRead } from '../call/early-answer.ts';

/** The contents of one document. Without content the app starts in an empty element. */
type PageParts = {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly content?: string | undefined;
  /** Scripts that the page will ask for, besides those of every page. */
  readonly scripts: readonly string[];
  /** What it will read first. */
  readonly reads: readonly EarlyRead[];
  /** Of signed-in people: figures come before the faces of the text. */
  readonly isPersonal: boolean;
};

const FONT = / *<link rel="preload" as="font"[^>]* href="[^"]+">\n/g;
const PLACE = '<div id="root"></div>';

/** The built index.html with the parts of one page in it. Throws when the template has lost a place for them. */
export function pageHtml(
  template: string,
  { title, description, content, scripts, reads, isPersonal }: PageParts,
): string {
  // On private pages figures come before the faces of the text, which the text asks for itself.
  let html = isPersonal ? template.replaceAll(FONT, '') : template;
  // Before the script that asks for them.
  const own = scripts.filter((script) => !template.includes(script));
  const early = `${list('early-reads', reads)}\n$1${list('early-files', own)}`;
  html = put(html, /( *)(?=<meta name="theme-color")/, `$1${early}\n$1`);
  if (title !== undefined) html = put(html, /<title>(.*?)<\/title>/, `<title>${title} · $1</title>`);
  if (description === undefined)
    html = put(html, /( *)(?=<meta name="theme-color")/, '$1<meta name="robots" content="noindex" />\n$1');
  else html = put(html, /(name="description"\s+content=")[^"]*/, `$1${description}`);
  return content === undefined
    ? html
    : put(
        html,
        PLACE,
        PLACE.replace('><', () => `>${content}<`),
      );
}

function list(name: string, values: readonly unknown[]): string {
  return `<meta name="${name}" content="${escapeQuotes(JSON.stringify(values))}" />`;
}

function escapeQuotes(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
}

function put(html: string, place: RegExp | string, text: string): string {
  const found = typeof place === 'string' ? html.includes(place) : place.test(html);
  if (!found) throw new Error(`index.html has no ${String(place)} to write to.`);
  return typeof place === 'string' ? html.split(place).join(text) : html.replace(place, text);
}
