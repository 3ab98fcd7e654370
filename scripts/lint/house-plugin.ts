// The house's own lint rules. The linter gives them the syntax tree, so text in comments and strings does not count.
import path from 'node:path';
import type { RuleTester } from 'oxlint/plugins-dev';
import { crossing } from './crossing.ts';
import { placeOf } from './place.ts';
import { PURE_FLOORS } from './walls.ts';

type Rule = Parameters<RuleTester['run']>[1];

const relative = ({ cwd, filename }: { cwd: string; filename: string }) =>
  path.relative(cwd, filename).replaceAll(path.sep, '/');

/** No import crosses a wall of `walls.ts`. */
export const walls: Rule = {
  create(context) {
    const file = relative(context);
    const judge = (source: { type: string; value?: unknown; range: [number, number] }) => {
      if (source.type !== 'Literal' || typeof source.value !== 'string') return;
      const message = crossing(file, source.value);
      if (message !== null) context.report({ node: source, message });
    };
    return {
      ImportDeclaration: (node) => judge(node.source),
      ExportAllDeclaration: (node) => judge(node.source),
      ExportNamedDeclaration: (node) => node.source && judge(node.source),
      ImportExpression: (node) => judge(node.source),
      TSImportType: (node) => judge(node.source),
    };
  },
};

const IMPURE_MATH = [
  'random',
  'exp',
  'expm1',
  'log',
  'log2',
  'log10',
  'log1p',
  'pow',
  'sin',
  'cos',
  'tan',
  'tanh',
  'hypot',
  'cbrt',
];
const IMPURE_NAMES = ['process', 'fetch', 'setTimeout', 'setInterval', 'performance', 'crypto'];

/** Pure floors use no clock, no randomness and no function that browsers round differently. */
export const pure: Rule = {
  create(context) {
    if (!PURE_FLOORS.includes(placeOf(relative(context))?.floor ?? '')) return {};
    return {
      MemberExpression(node) {
        if (node.object.type !== 'Identifier' || node.property.type !== 'Identifier') return;
        const { name } = node.property;
        const impure =
          (node.object.name === 'Date' && name === 'now') ||
          (node.object.name === 'Math' && IMPURE_MATH.includes(name));
        if (impure) context.report({ node, message: `${node.object.name}.${name} is not pure` });
      },
      NewExpression(node) {
        if (node.callee.type === 'Identifier' && node.callee.name === 'Date' && node.arguments.length === 0)
          context.report({ node, message: 'new Date() reads the clock' });
      },
      BinaryExpression(node) {
        if (node.operator === '**') context.report({ node, message: 'browsers may round ** differently' });
      },
      Identifier(node) {
        const { parent } = node;
        const isGlobal =
          IMPURE_NAMES.includes(node.name) &&
          ((parent.type === 'CallExpression' && parent.callee === node) ||
            (parent.type === 'MemberExpression' && parent.object === node)) &&
          context.sourceCode.isGlobalReference(node);
        if (isGlobal) context.report({ node, message: `${node.name} is not pure` });
      },
    };
  },
};

const VAGUE_NAMES = [
  'utils',
  'util',
  'helpers',
  'common',
  'shared',
  'lib',
  'core',
  'manager',
  'types',
  'misc',
  'service',
];
const TEST_FOLDERS = ['testing', 'exam', 'fixtures', 'mocks', '__mocks__', '__tests__'];

/** A name says what is inside; test code is in `tests` or next to its code in a `.test.ts` file. */
export const fileName: Rule = {
  create(context) {
    const file = relative(context);
    const parts = file.split('/').map((part) => part.replace(/\.tsx?$/, ''));
    return {
      Program(node) {
        const vague = parts.find((part) => VAGUE_NAMES.includes(part));
        if (vague !== undefined) context.report({ node, message: `the name ${vague} says nothing` });
        const isTestCode =
          file.startsWith('src/') &&
          parts.some((part) => TEST_FOLDERS.includes(part) || /-(fixture|mock|fake)$/.test(part));
        if (isTestCode) context.report({ node, message: 'test code lies in tests, not in src' });
      },
    };
  },
};

export default { meta: { name: 'house' }, rules: { walls, pure, 'file-name': fileName } };
