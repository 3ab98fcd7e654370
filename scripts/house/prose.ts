// Prose in source code: what a person could read, told apart from names, SQL, logs and thrown errors.
import type { SourceFile, SyntaxNode } from './read-house.ts';

/** Texts of four words or more that begin like a sentence, outside logs, thrown errors and SQL. */
export function sentencesOf({ program }: Pick<SourceFile, 'program'>): string[] {
  const found: string[] = [];
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'ThrowStatement' || node.type === 'ImportDeclaration') return;
    if (node.type === 'CallExpression' && isLog(node)) return;
    if (node.type === 'TaggedTemplateExpression') return;
    const text = textOf(node);
    if (text !== null && /^[A-Z][^_=]*( [^ ]+){3,}/.test(text) && /[a-z] [a-z]/.test(text)) found.push(text);
    for (const value of Object.values(node))
      for (const child of Array.isArray(value) ? value : [value])
        if (typeof child === 'object' && child !== null && 'type' in child) visit(child as SyntaxNode);
  };
  visit(program);
  return found;
}

function isLog({ callee }: SyntaxNode): boolean {
  const { type, property } = callee as SyntaxNode;
  return (
    type === 'MemberExpression' && /^(info|warn|error|debug)$/.test(String((property as SyntaxNode).name))
  );
}

function textOf(node: SyntaxNode): string | null {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node.type !== 'TemplateLiteral') return null;
  const quasis = node.quasis as readonly { value: { cooked: string } }[];
  return quasis.map(({ value }) => value.cooked).join('…');
}
