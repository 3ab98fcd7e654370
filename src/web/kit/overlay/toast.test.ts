import { beforeEach, expect, it } from 'vitest';
import { dismissToast, listToasts, showToast } from './toast.ts';

const messages = () => listToasts().map(({ message }) => message);
beforeEach(() => {
  for (const { id } of listToasts()) dismissToast(id);
});

it('shows repeated identical toasts once', () => {
  for (const message of ['One', 'Two', 'One']) showToast({ title: 'Strategy deployed', message });
  expect(messages()).toEqual(['Two', 'One']);
});

it('keeps the longer text when the click and the stream report the same thing, in either order', () => {
  const press = { title: 'Trading paused', message: 'Calm Trend', type: 'success' } as const;
  const news = { title: 'Trading paused', message: 'Calm Trend is paused. Open positions are kept.' };
  showToast(press);
  showToast(news);
  expect(messages()).toEqual([news.message]);
  showToast(press);
  expect(messages()).toEqual([news.message]);
});

it('keeps messages about different things under the same title', () => {
  showToast({ title: 'Order rejected', message: 'AAA: not enough cash.' });
  showToast({ title: 'Order rejected', message: 'BBB: not enough cash.' });
  expect(messages()).toHaveLength(2);
});

it('shows only the newest news of a kind, beside what a press reports', () => {
  showToast({ title: 'A new market day', message: '2 June 2026', place: 'market' });
  showToast({ title: 'Name saved', message: 'Calm Trend' });
  for (const message of ['sold 3 SPY', 'bought 2 QQQ'])
    showToast({ title: 'Order filled', message, place: 'fills' });
  showToast({ title: 'Trading frozen', message: 'Fell by 20%', place: 'risk' });
  showToast({ title: 'Order filled', message: 'sold 2 QQQ', place: 'fills' });
  expect(messages()).toEqual(['2 June 2026', 'Calm Trend', 'Fell by 20%', 'sold 2 QQQ']);
});
