// Numbers as files write them.

/** A cell's number, 'missing' when the cell marks it as absent, 'unreadable' otherwise. */
export function readNumber(cell: string | undefined): number | 'missing' | 'unreadable' {
  if (cell === undefined || MISSING.test(cell)) return 'missing';
  const plain = cell.replace(/^[$€£]/, '').replaceAll(' ', '');
  if (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain)) return Number(plain);
  // Commas as thousands separators: 1,234,567.89
  if (/^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$/.test(plain)) return Number(plain.replaceAll(',', ''));
  // A decimal comma: 1234,56
  if (/^[+-]?\d+,\d+$/.test(plain)) return Number(plain.replace(',', '.'));
  return 'unreadable';
}

const MISSING = /^(|-|–|null|nan|n\/a|na|none|#n\/a)$/i;
