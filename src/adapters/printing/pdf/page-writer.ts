// Writes running text onto pages, top to bottom, with page breaks and page numbers.
import { layoutText, measureText, type PDF, type PDFPage, rgb, type Standard14FontName } from '@libpdf/core';
import { printable } from './printable.ts';

interface TextStyle {
  readonly font: Standard14FontName;
  readonly size: number;
  readonly leading: number;
  readonly spaceAfter: number;
  readonly grey?: number;
}

export interface PageWriter {
  text(text: string, style: TextStyle): void;
  /** A name at the left and its figure at the right, with a note below. */
  row(row: { readonly label: string; readonly value: string; readonly note?: string }): void;
  rule(): void;
  /** Keeps the next lines together: starts a new page if fewer than this many points are left. */
  need(points: number): void;
}

const PAGE_HEIGHT = 842;
const PAGE_WIDTH = 595;
const MARGIN = 64;
const WIDTH = PAGE_WIDTH - 2 * MARGIN;
const FOOT = 56;

/** `footer` is printed at the bottom of every page that this writer starts. */
export function createPageWriter(pdf: PDF, footer: string): PageWriter {
  let page: PDFPage | undefined;
  let y = 0;

  function breakPage(): PDFPage {
    const next = pdf.addPage({ width: PAGE_WIDTH, height: PAGE_HEIGHT });
    const number = pdf.getPageCount();
    next.drawText(printable(`${footer}   ·   page ${number}`), {
      x: MARGIN,
      y: FOOT - 20,
      size: 8,
      font: 'Helvetica',
      color: rgb(0.4, 0.4, 0.4),
    });
    y = PAGE_HEIGHT - MARGIN;
    page = next;
    return next;
  }

  function line(height: number): PDFPage {
    const current = page === undefined || y - height < FOOT ? breakPage() : page;
    y -= height;
    return current;
  }

  return {
    text(text, style) {
      const grey = style.grey ?? 0.1;
      const layout = layoutText(printable(text), style.font, style.size, WIDTH, style.leading);
      for (const { text: words } of layout.lines) {
        line(style.leading).drawText(words, {
          x: MARGIN,
          y,
          font: style.font,
          size: style.size,
          color: rgb(grey, grey, grey),
        });
      }
      y -= style.spaceAfter;
    },
    row({ label, value, note }) {
      const figure = printable(value);
      const at = (text: string, x: number, style: TextStyle) =>
        (page as PDFPage).drawText(printable(text), {
          x,
          y,
          font: style.font,
          size: style.size,
          color: rgb(style.grey ?? 0.1, style.grey ?? 0.1, style.grey ?? 0.1),
        });
      line(ROW.leading + (note === undefined ? 0 : NOTE.leading));
      if (note !== undefined) y += NOTE.leading;
      at(label, MARGIN, ROW);
      at(figure, MARGIN + WIDTH - measureText(figure, FIGURE.font, FIGURE.size), FIGURE);
      if (note !== undefined) {
        y -= NOTE.leading;
        at(note, MARGIN, NOTE);
      }
      y -= ROW.spaceAfter;
    },
    rule() {
      line(8).drawRectangle({ x: MARGIN, y, width: WIDTH, height: 0.5, color: rgb(0.6, 0.6, 0.6) });
      y -= 10;
    },
    need(points) {
      if (page === undefined || y - points < FOOT) breakPage();
    },
  };
}

export const TITLE: TextStyle = { font: 'Times-Bold', size: 22, leading: 28, spaceAfter: 12 };
export const HEADING: TextStyle = { font: 'Times-Bold', size: 12.5, leading: 18, spaceAfter: 3 };
export const BODY: TextStyle = { font: 'Times-Roman', size: 11, leading: 15.5, spaceAfter: 7 };
export const SMALL: TextStyle = { font: 'Helvetica', size: 8.5, leading: 11.5, spaceAfter: 2, grey: 0.25 };
const ROW: TextStyle = { ...BODY, leading: 15, spaceAfter: 5 };
const FIGURE: TextStyle = { ...ROW, font: 'Helvetica', size: 10 };
const NOTE: TextStyle = { ...SMALL, leading: 11, grey: 0.35 };
export const HASH: TextStyle = { font: 'Courier', size: 7.5, leading: 10, spaceAfter: 1, grey: 0.35 };
/** White on white: for programs that look for it. */
export const UNSEEN: TextStyle = { font: 'Helvetica', size: 6, leading: 8, spaceAfter: 0, grey: 1 };
