import { expect, test } from 'vitest';
import { ATTACK_VERDICTS, ATTACKS, NOT_RUN_REASONS } from '#engine/evidence/attack/attack-result.ts';
import { expectPlain } from '#tests/support/expect-plain.ts';
import { attackName, attackQuestion, attackReason, attackVerdict } from './attack-reason.ts';

test('every attack has a name and a question of its own', () => {
  expect(new Set(ATTACKS.map(attackName)).size).toBe(ATTACKS.length);
  for (const code of ATTACKS) expect(attackQuestion(code).endsWith('?')).toBe(true);
});

test('every verdict, and every reason why an attack could not be run, is a plain sentence', () => {
  for (const verdict of ATTACK_VERDICTS) expectPlain(attackVerdict(verdict).sentence);
  for (const reason of NOT_RUN_REASONS) expectPlain(attackReason({ outcome: 'not_run', reason }));
  expect(attackVerdict('do_not_deploy').word).toBe('Do not deploy');
});
