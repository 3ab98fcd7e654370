// The sentences of the texts that promise something to a client: the contract, the legal pages, the fee, the plans and the settings.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { textOf } from '../../scripts/house/prose.ts';
import { nodesOf, parseSource } from '../../scripts/house/read-house.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

export const TEXTS = [
  'src/rules/agreements/sections.ts',
  'src/rules/fees/fee-terms.ts',
  'src/rules/billing/plans.ts',
  'src/rules/deployments/disconnect-policy-text.ts',
  'src/rules/deployments/tripwire-text.ts',
  'src/web/billing/plan-sum.tsx',
  'src/web/deployments/settings-dialog.tsx',
  'src/web/screens/deploy/step/configuration-step.tsx',
  'src/web/screens/faq.tsx',
  'src/web/screens/home/closing-call.tsx',
  'src/web/screens/legal/aml-program.tsx',
  'src/web/screens/legal/cookie-policy.tsx',
  'src/web/screens/legal/hypothetical-disclosures.tsx',
  'src/web/screens/legal/legal-disclosures.tsx',
  'src/web/screens/legal/privacy-policy.tsx',
  'src/web/screens/legal/terms-of-use.tsx',
] as const;

export type Sentence = { readonly file: string; readonly text: string };

/** All sentences of the file, `…` for what is filled in. */
export function sentencesOf(file: string): Sentence[] {
  return textsOf(file).flatMap((text) =>
    text
      .split(/(?<=[.?!]['’"]?)\s+(?=[A-Z…‘“])/)
      .map((sentence) => ({ file, text: sentence.trim() }))
      .filter((sentence) => sentence.text !== ''),
  );
}

/** What names us, or something that always or never happens, binds us. A heading, a name or a question does not. */
export function mayPromise({ text }: Sentence): boolean {
  const words = text.split(' ').length;
  if (words < 4 || !/[.…:]$/.test(text)) return false;
  return /\b(we|our|us|never|always|nobody|no one|nothing|no|not|until|at any time|within|only|at once|kept|encrypted|stored|free)\b/i.test(
    text,
  );
}

function textsOf(file: string): string[] {
  const { program } = parseSource(file, readFileSync(path.join(ROOT, file), 'utf8'));
  return [...nodesOf(program)].flatMap((node) => {
    const text = node.type === 'JSXText' ? String(node.value) : textOf(node);
    return text === null ? [] : [text.replace(/\s+/g, ' ')];
  });
}
