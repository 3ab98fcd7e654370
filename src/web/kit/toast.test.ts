import { expect, it } from 'vitest';
import { listToasts, showToast } from './toast.ts';

it('says the same thing once, however often it is told', () => {
  showToast({ title: 'Strategy deployed', message: 'One', type: 'success' });
  showToast({ title: 'Strategy deployed', message: 'Two', type: 'success' });
  showToast({ title: 'Strategy deployed', message: 'One', type: 'success' });
  expect(listToasts().map(({ message }) => message)).toEqual(['Two', 'One']);
});
