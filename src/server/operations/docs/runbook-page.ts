import { escapeHtml } from '../../http/escape-html.ts';

/** The runbook as one page without a script: its headings, paragraphs and its table, nothing else of Markdown. */
export function runbookPage(markdown: string): string {
  const blocks = markdown.trim().split(/\n{2,}/);
  const links = blocks.flatMap((block) => (block.startsWith('### ') ? linkTo(block.slice(4)) : []));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Runbook</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/api/docs/reader.css">
</head>
<body>
<main>
${blocks.map((block) => (block.startsWith('# ') ? `${show(block)}\n<nav aria-label="Incidents">${links.join('\n')}</nav>` : show(block))).join('\n')}
</main>
</body>
</html>
`;
}

function show(block: string): string {
  const [, marks, heading] = /^(#{1,3}) (.+)$/.exec(block) ?? [];
  if (marks !== undefined && heading !== undefined)
    return `<h${marks.length} id="${anchorOf(heading)}">${inline(heading)}</h${marks.length}>`;
  if (block.startsWith('| ')) return table(block.split('\n'));
  return `<p>${inline(block)}</p>`;
}

/** The second line is the rule below the heads. */
function table([head = '', , ...rows]: readonly string[]): string {
  const cells = (row: string, tag: 'th' | 'td') =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => `<${tag}>${inline(cell.trim())}</${tag}>`)
      .join('');
  const body = rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('');
  return `<table><thead><tr>${cells(head, 'th')}</tr></thead><tbody>${body}</tbody></table>`;
}

function linkTo(heading: string): string {
  return `<a href="#${anchorOf(heading)}">${escapeHtml(heading)}</a>`;
}

function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(' ', '-')
    .replaceAll(/[^a-z-]/g, '');
}

function inline(text: string): string {
  return escapeHtml(text)
    .replaceAll(/\*\*(.+?)\*\*/gs, '<strong>$1</strong>')
    .replaceAll(/\*(.+?)\*/gs, '<em>$1</em>')
    .replaceAll(/`(.+?)`/g, '<code>$1</code>');
}
