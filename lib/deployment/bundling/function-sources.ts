import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';
import ts from 'typescript';

/** Fields of the transition table that only its tests and its documentation read. */
const declarations: ReadonlySet<string> = new Set(['sets']);

/** Leaves out of the functions what only documentation and tests read. */
export const functionSources: Plugin = {
  name: 'function-sources',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\/machine\/transitions\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      return { contents: withoutDeclarations(source), loader: 'ts' };
    });
    // The clients of the SDK read their version from it, and bundle all of it.
    onLoad({ filter: /\/@aws-sdk\/[^/]+\/package\.json$/ }, async ({ path }) => {
      const { name, version } = JSON.parse(await readFile(path, 'utf8'));
      return { contents: JSON.stringify({ name, version }), loader: 'json' };
    });
  },
};

/** The transition table without `sets`, which names what an effect may change: a third of the table. */
function withoutDeclarations(source: string): string {
  const file = ts.createSourceFile('transitions.ts', source, ts.ScriptTarget.Latest);
  const found: ts.PropertyAssignment[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node) && declarations.has(node.name.getText(file))) found.push(node);
    else ts.forEachChild(node, visit);
  };
  visit(file);
  return found.reduceRight((text, node) => {
    const lines = '\n'.repeat(node.getText(file).split('\n').length - 1);
    // With the comma in front of it: the property may be the last one.
    const before = text.slice(0, node.getStart(file)).replace(/,\s*$/, '');
    const end =
      before.length === node.getStart(file)
        ? text.slice(node.getEnd()).replace(/^,/, '')
        : text.slice(node.getEnd());
    return `${before}${lines}${end}`;
  }, source);
}
