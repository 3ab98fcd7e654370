import { beforeEach, expect, it } from 'vitest';
import { dismissToast, listToasts, showToast } from './toast.ts';

const messages = () => listToasts().map(({ message }) => message);
beforeEach(() => {
  for (const { id } of listToasts()) dismissToast(id);
});

it('says the same thing once, however often it is told', () => {
  for (const message of ['One', 'Two', 'One']) showToast({ title: 'Strategy deployed', message });
  expect(messages()).toEqual(['Two', 'One']);
});

it('keeps the fuller words of what the press and the news of it both tell, whichever comes first', () => {
  const press = { title: 'Trading paused', message: 'Calm Trend', type: 'success' } as const;
  const news = { title: 'Trading paused', message: 'Calm Trend is paused. Open positions are kept.' };
  showToast(press);
  showToast(news);
  expect(messages()).toEqual([news.message]);
  showToast(press);
  expect(messages()).toEqual([news.message]);
});

it('loses nothing that is told of something else under the same title', () => {
  showToast({ title: 'Order rejected', message: 'AAA: not enough cash.' });
  showToast({ title: 'Order rejected', message: 'BBB: not enough cash.' });
  expect(messages()).toHaveLength(2);
});
