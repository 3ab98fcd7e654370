// Prose in source code: text that a person could read as the product's own words, as opposed to names, SQL and
// diagnostics.
import type { SourceFile, SyntaxNode } from './read-house.ts';

type Source = Pick<SourceFile, 'file' | 'program'>;

const BELOW_REASONS = /^src\/(engine|trader|records|adapters|results)\//;

/** Rooms whose texts never reach a screen; `tests/prose.test.ts` says why. */
const OPERATORS = [
  /\/invariants\//,
  /^src\/engine\/evidence\/verify-/,
  /^src\/records\/operations\/audit-log\.ts$/,
];
const DOCUMENTS = [/^src\/adapters\/signing\/(document|embedded)\//];
const TOLD_TO_MODELS = [/^src\/engine\/decider\/decision-questions\.ts$/];
const DIAGNOSTICS = [
  /^src\/adapters\/(broker|market-data|model-runner)\//,
  /^src\/engine\/strategy\/parsing\//,
  /^src\/engine\/model\/parse-model/,
  /^src\/engine\/decider\/(parse-decider|read-answer)/,
  /^src\/engine\/backtest\/variants/,
];

/** The sentences and clauses of a file that belong in `rules`; none where the house is in order. */
export function proseOf(source: Source): string[] {
  const { file } = source;
  const isOf = (rooms: readonly RegExp[]) => rooms.some((room) => room.test(file));
  if (!BELOW_REASONS.test(file) || isOf(OPERATORS) || isOf(DOCUMENTS) || isOf(TOLD_TO_MODELS)) return [];
  return textsOf(source).filter((text) => isSentence(text) || (!isOf(DIAGNOSTICS) && isClause(text)));
}

/** Four words or more that begin like a sentence. */
function isSentence(text: string): boolean {
  return /^[A-Z][^_=]*( [^ ]+){3,}/.test(text) && /[a-z] [a-z]/.test(text);
}

/** Four words or more in lower case; not SQL, and not a list of names. */
function isClause(text: string): boolean {
  const isSql =
    /^\s*\(?(select|with|insert|update|delete|copy|create|drop|lock|exists|coalesce|case|from|and|where|order by)\b/i;
  if (isSql.test(text) || /[=<>|]|::|\w_\w|\w\.\w/.test(text)) return false;
  return (
    /^[^A-Z]/.test(text) && text.split(/\s+/).filter((word) => /^[a-z'’,;:()-]{2,}$/.test(word)).length >= 4
  );
}

/** All texts but those of errors, logs and SQL. */
function textsOf({ program }: Source): string[] {
  const found: string[] = [];
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'ThrowStatement' || node.type === 'ImportDeclaration') return;
    if (node.type === 'TaggedTemplateExpression' || node.type === 'TSLiteralType') return;
    if (node.type === 'NewExpression' && String((node.callee as SyntaxNode).name).endsWith('Error')) return;
    if (node.type === 'CallExpression' && isLog(node)) return;
    const text = textOf(node);
    if (text !== null) found.push(text);
    for (const value of Object.values(node))
      for (const child of Array.isArray(value) ? value : [value])
        if (typeof child === 'object' && child !== null && 'type' in child) visit(child as SyntaxNode);
  };
  visit(program);
  return found;
}

/** `noteProblem` writes the log of a tick. */
function isLog({ callee }: SyntaxNode): boolean {
  const { type, property, name } = callee as SyntaxNode;
  if (type === 'Identifier') return name === 'noteProblem';
  return (
    type === 'MemberExpression' && /^(info|warn|error|debug)$/.test(String((property as SyntaxNode).name))
  );
}

/** Of a string or a template, with `…` for what is filled in; null for other nodes. */
export function textOf(node: SyntaxNode): string | null {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node.type !== 'TemplateLiteral') return null;
  const quasis = node.quasis as readonly { value: { cooked: string } }[];
  return quasis.map(({ value }) => value.cooked).join('…');
}
