import fc from 'fast-check';
import { expect, it } from 'vitest';
import { orderReason } from '#rules/reasons/order-reason.ts';
import { plainText } from '#units/plain-text.ts';

it('removes markup and decodes what stands for letters', () => {
  expect(plainText('<h4>Order Value Limit</h4>The following order&nbsp;exceeds   <b>your</b> limit')).toBe(
    'Order Value Limit The following order exceeds your limit',
  );
  expect(plainText('R&amp;D can&#39;t be bought &#x2014; today')).toBe("R&D can't be bought — today");
  expect(plainText('&lt;script&gt;alert(1)&lt;/script&gt;Kein Handel')).toBe('Kein Handel');
});

it.each([
  'HTTP 503',
  'UND_ERR_SOCKET',
  'ECONNRESET',
  "reply id not found: '99097238'",
  '{"error":"upstream","statusCode":400}',
  'id: 39687, error: invalid_consumer',
  'java.lang.NullPointerException',
  'a3b1c2d4-77aa-4d11-9a8b-aaaaaaaaaaaa',
  '  ',
  '200',
])('quotes nothing technical: %s', (text) => expect(plainText(text)).toBe(''));

it('keeps the words of every language', () => {
  for (const text of [
    'Unzureichende Kaufkraft für diese Order',
    '余力が不足しています',
    'Недостаточно средств',
  ])
    expect(plainText(text)).toBe(text);
});

it('of any text is short and without markup, and so is the sentence that quotes it', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('<h4>', '</b>', '&lt;', '&gt;', '&#60;', '{"a":1}', 'HTTP 503', 'No margin', '\n', '<'),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const said = plainText(pieces.join(''));
      expect(said.length).toBeLessThanOrEqual(240);
      expect(said).not.toMatch(/[<>{}]|HTTP/);
      for (const code of ['rejected', 'cancelled', 'expired'] as const)
        expect(orderReason({ code, said })).not.toMatch(/[<>{}]|HTTP/);
    }),
  );
});
