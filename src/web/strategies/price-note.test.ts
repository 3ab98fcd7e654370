import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { PriceNote } from './price-note.tsx';

const markupOf = (note: string | null) => renderToStaticMarkup(createElement(PriceNote, { note }));

test('a doubt about prices is a sentence that assistive software announces', () => {
  expect(markupOf('Two sources do not agree.')).toMatch(/role="status".*Two sources do not agree\./);
});

test('nothing is shown while the prices are good', () => {
  expect(markupOf(null)).toBe('');
});
