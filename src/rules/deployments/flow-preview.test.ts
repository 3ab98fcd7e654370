import { expect, it } from 'vitest';
import { toMicro } from '#units/money.ts';
import { flowPreview, type PreviewedFlow } from './flow-preview.ts';

const flow = (change: Partial<PreviewedFlow> = {}): PreviewedFlow => ({
  kind: 'deposit',
  amount: toMicro(5_000),
  investment: toMicro(10_000),
  equity: toMicro(12_000),
  peak: toMicro(12_500),
  freeNow: toMicro(1_000),
  accountFree: toMicro(7_000),
  freezeOnDrawdown: 20,
  isPractice: false,
  isCharged: true,
  ...change,
});
const values = ({ lines }: ReturnType<typeof flowPreview>) => lines.map(({ value }) => value);

it('says what a deposit makes of the amount, the value, the free cash and the freeze, and that no fee is due', () => {
  const preview = flowPreview(flow());
  // 12,500 × 17,000 / 12,000, less 20%.
  expect(values(preview)).toEqual(['$15,000', '$17,000', '$2,000', '$14,166.67']);
  expect(preview.fee).toBe('No fee on what you add: the high-water mark rises by $5,000.');
});

it('says what is sold for a withdrawal, and that it leaves at once where the cash is there', () => {
  const large = flowPreview(flow({ kind: 'withdrawal' }));
  expect(values(large)).toEqual(['$5,000', '$7,000', '$12,000', '$5,833.33']);
  expect(large.when).toContain('About $4,000 is sold first');
  expect(large.when).toContain('we move nothing out of it');
  expect(flowPreview(flow({ kind: 'withdrawal', amount: toMicro(900) })).when).toMatch(/^Within seconds/);
});

it('says nothing of a fee, an account or a freeze where there is none', () => {
  const preview = flowPreview(
    flow({ isPractice: true, isCharged: false, freezeOnDrawdown: 0, accountFree: null }),
  );
  expect(preview.fee).toBeNull();
  expect(preview.lines.map(({ label }) => label)).toEqual(['Put in altogether', 'Value of the deployment']);
});
