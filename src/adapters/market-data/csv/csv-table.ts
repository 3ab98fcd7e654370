// A text file as rows of cells, with the line number on which each row starts.

export type TableRow = { readonly line: number; readonly cells: readonly string[] };

type Delimiter = ',' | ';' | '\t' | '|';

type Table = { readonly delimiter: Delimiter; readonly rows: readonly TableRow[] };

/** Reads delimited text: byte-order mark, any line ending, quoted cells, blank and # comment lines left out. */
export function readTable(text: string): Table {
  const body = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const lines = body.split(/\r\n|\n|\r/);
  const delimiter = findDelimiter(lines);
  const rows: TableRow[] = [];
  lines.forEach((content, index) => {
    if (content.trim() === '' || content.startsWith('#')) return;
    rows.push({ line: index + 1, cells: splitCells(content, delimiter) });
  });
  return { delimiter, rows };
}

function splitCells(content: string, delimiter: Delimiter): string[] {
  if (!content.includes('"')) return content.split(delimiter).map((cell) => cell.trim());
  const cells: string[] = [];
  let cell = '';
  let quoted = false;
  for (let i = 0; i < content.length; i++) {
    const char = content[i]!;
    if (char === '"' && quoted && content[i + 1] === '"') {
      cell += '"';
      i++;
    } else if (char === '"') quoted = !quoted;
    else if (char === delimiter && !quoted) {
      cells.push(cell.trim());
      cell = '';
    } else cell += char;
  }
  cells.push(cell.trim());
  return cells;
}

/** The separator that splits the first lines into the most cells; a consistent cell count ranks higher. */
function findDelimiter(lines: readonly string[]): Delimiter {
  const sample = lines.filter((line) => line.trim() !== '' && !line.startsWith('#')).slice(0, 25);
  let best: { delimiter: Delimiter; score: number } = { delimiter: ',', score: 0 };
  for (const delimiter of [',', ';', '\t', '|'] as const) {
    const counts = sample.map((line) => splitCells(line, delimiter).length);
    const usual = counts.toSorted((a, b) => a - b)[Math.floor(counts.length / 2)] ?? 0;
    const alike = counts.filter((count) => count === usual).length / Math.max(1, counts.length);
    const score = usual < 2 ? 0 : usual * alike;
    // A file with semicolons may contain more decimal commas than columns: consistency ranks before count.
    if (score > best.score || (delimiter === ';' && usual >= 5 && alike > 0.9)) best = { delimiter, score };
  }
  return best.delimiter;
}
