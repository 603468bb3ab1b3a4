import ts from 'typescript';

/** Fields of a route that only the documentation and the deployment read. */
const documentation: ReadonlySet<string> = new Set(['summary', 'description', 'grants']);

/**
 * A source with an empty text in the place of each summary, description and grant: the texts of the API reference are some
 * four per cent of a function. Its lines stay where they are.
 */
export function withoutDocumentation(source: string): string {
  const file = ts.createSourceFile('routes.ts', source, ts.ScriptTarget.Latest);
  const texts: ts.Expression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node) && documentation.has(node.name.getText(file)))
      texts.push(node.initializer);
    else ts.forEachChild(node, visit);
  };
  visit(file);
  return texts.reduceRight((text, node) => {
    const from = node.getStart(file);
    const to = node.getEnd();
    const lines = '\n'.repeat(text.slice(from, to).split('\n').length - 1);
    return `${text.slice(0, from)}''${lines}${text.slice(to)}`;
  }, source);
}
