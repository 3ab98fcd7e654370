import { escapeHtml } from '../../http/escape-html.ts';

/** What all signing pages share: the head, the theme, the assets. */
export function pageFrame(page: {
  readonly title: string;
  readonly theme: Theme;
  readonly view: 'signing' | 'signed' | 'message' | 'vendor';
  readonly body: string;
  /** A script of the vendor's that the page needs. */
  readonly vendorScript?: string;
}): string {
  return `<!doctype html>
<html lang="en" data-theme="${page.theme}" data-view="${page.view}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${page.theme}">
<title>${escapeHtml(page.title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/sign/assets/signing.css">
${page.vendorScript === undefined ? '' : `<script src="${escapeHtml(page.vendorScript)}" defer></script>\n`}<script src="/sign/assets/signing.js" defer></script>
</head>
<body>
${page.body}
</body>
</html>
`;
}

export type Theme = 'dark' | 'light';

/** Dark unless the address requests light. */
export function themeOf(query: Readonly<Record<string, unknown>>): Theme {
  return query['theme'] === 'light' ? 'light' : 'dark';
}
