// Reads a source tree: each file with its syntax tree and the files that it imports, types and dynamic imports included.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type ParseResult, parseSync } from 'oxc-parser';

export type SyntaxNode = {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
};

export type SourceFile = {
  /** From the root of the tree, with slashes. */
  readonly file: string;
  readonly text: string;
  readonly program: SyntaxNode;
  /** Files of the same tree. */
  readonly imports: readonly string[];
};

/** The TypeScript files of the tree that git tracks. */
export function readHouse(root: string): SourceFile[] {
  const listed = execFileSync('git', ['ls-files', '*.ts', '*.tsx'], { cwd: root, encoding: 'utf8' });
  const files = listed.trim().split('\n');
  const known = new Set(files);
  const aliases = readAliases(root);
  return files.map((file) => {
    const text = readFileSync(path.join(root, file), 'utf8');
    const parsed = parseSync(file, text);
    const imports = specifiersOf(parsed, text)
      .map((specifier) => resolve(specifier, file, aliases))
      .filter((target) => target !== null && known.has(target));
    return { file, text, program: parsed.program as unknown as SyntaxNode, imports: imports as string[] };
  });
}

/** One text as a file of this name. */
export function parseSource(file: string, text: string): Pick<SourceFile, 'file' | 'program'> {
  return { file, program: parseSync(file, text).program as unknown as SyntaxNode };
}

function readAliases(root: string): readonly (readonly [string, string])[] {
  const { imports } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    imports: Record<string, string>;
  };
  return Object.entries(imports).map(([alias, target]) => [alias.slice(0, -1), target.slice(2, -1)] as const);
}

function specifiersOf({ module, program }: ParseResult, text: string): string[] {
  const found = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest }) => (moduleRequest ? [moduleRequest.value] : [])),
    ),
    ...module.dynamicImports.map(({ moduleRequest }) =>
      text.slice(moduleRequest.start, moduleRequest.end).replace(/^['"`]|['"`]$/g, ''),
    ),
  ];
  // `new URL('./worker.ts', import.meta.url)` starts a thread.
  for (const node of nodesOf(program as unknown as SyntaxNode)) {
    if (node.type === 'NewExpression' && text.slice(node.start, node.end).includes('import.meta.url')) {
      const file = /['"]([\w./-]+\.ts)['"]/.exec(text.slice(node.start, node.end))?.[1];
      if (file !== undefined) found.push(file.startsWith('.') ? file : `./${file}`);
    }
  }
  return found;
}

function resolve(
  specifier: string,
  from: string,
  aliases: readonly (readonly [string, string])[],
): string | null {
  if (specifier.startsWith('.'))
    return path.posix.join(path.posix.dirname(from), specifier.replace(/\?.*$/, ''));
  for (const [alias, target] of aliases)
    if (specifier.startsWith(alias)) return target + specifier.slice(alias.length);
  return null;
}

/** A node and all its descendants, outermost first. */
export function* nodesOf(node: SyntaxNode): Generator<SyntaxNode> {
  yield node;
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) yield* nodesOf(child);
  }
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

/** All files that a set of files reaches through imports, themselves included. */
export function reachedFrom(files: readonly SourceFile[], entries: readonly string[]): Set<string> {
  const byName = new Map(files.map((source) => [source.file, source]));
  const reached = new Set<string>();
  const open = [...entries];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    open.push(...(byName.get(file)?.imports ?? []));
  }
  return reached;
}

/** Each import cycle once, as the files in it. */
export function circlesOf(files: readonly SourceFile[]): string[][] {
  const edges = new Map(files.map(({ file, imports }) => [file, imports]));
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[][] = [];
  const visit = (file: string): void => {
    order.set(file, order.size);
    low.set(file, order.get(file)!);
    stack.push(file);
    for (const next of edges.get(file) ?? []) {
      if (!order.has(next)) visit(next);
      if (stack.includes(next)) low.set(file, Math.min(low.get(file)!, low.get(next)!));
    }
    if (low.get(file) !== order.get(file)) return;
    const circle = stack.splice(stack.indexOf(file));
    if (circle.length > 1) circles.push(circle);
  };
  for (const file of edges.keys()) if (!order.has(file)) visit(file);
  return circles;
}
