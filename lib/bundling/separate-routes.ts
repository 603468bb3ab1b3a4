import ts from 'typescript';

/**
 * Rewrites a module so that esbuild leaves out what a function does not use. esbuild removes unused exports and constants,
 * but neither properties of objects nor calls, of which it cannot know that they change nothing.
 *
 * - `defineRoutes({ show: {…}, ...others })`: each route becomes an export of its own, `route$show`. The object stays for
 *   those who read it whole.
 * - `routes.show` in a handler becomes `route$show`.
 * - Constants of a module with schemas, such as `z.object({…})`, are marked as removable: they only describe.
 *
 * Lines stay where they are, so that the lines of stack traces are those of the source.
 */
export function withSeparateRoutes(source: string): string {
  const file = ts.createSourceFile('module.ts', source, ts.ScriptTarget.Latest, true);
  const edits = [...routeUses(file), ...file.statements.flatMap((one) => declarations(file, one))];
  // From the end, so that positions stay valid; at one position, what is inserted comes before what is replaced.
  const width = ({ at, end = at }: Edit) => end - at;
  return edits
    .toSorted((a, b) => b.at - a.at || width(b) - width(a))
    .reduce((text, { at, end = at, put }) => text.slice(0, at) + put + text.slice(end), source);
}

interface Edit {
  readonly at: number;
  /** The end of what is replaced; without it, the text is inserted. */
  readonly end?: number;
  readonly put: string;
}

const prefix = 'route$';
const exportOf = (name: string) => `${prefix}${name.replaceAll('-', '_')}`;
/** esbuild drops an annotated call whose result is unused, and puts the expression in the place of one that is used. */
const removable = { before: '/* @__PURE__ */ (() => (', after: '))()' };

function declarations(file: ts.SourceFile, statement: ts.Statement): Edit[] {
  if (!ts.isVariableStatement(statement)) return [];
  const hasSchemas = /from 'zod\/mini'/.test(file.text);
  return statement.declarationList.declarations.flatMap(({ initializer }) => {
    if (initializer === undefined) return [];
    const literal = routesLiteral(initializer);
    if (literal !== undefined) return separateRoutes(file, statement, initializer, literal);
    const isFunction = ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer);
    return hasSchemas && !isFunction && isKept(initializer) ? marked(file, initializer) : [];
  });
}

function marked(file: ts.SourceFile, node: ts.Expression): Edit[] {
  return [
    { at: node.getStart(file), put: removable.before },
    { at: node.getEnd(), put: removable.after },
  ];
}

/** The argument of `defineRoutes`. */
function routesLiteral(node: ts.Expression): ts.ObjectLiteralExpression | undefined {
  if (!ts.isCallExpression(node) || node.expression.getText() !== 'defineRoutes') return undefined;
  const [argument] = node.arguments;
  return argument !== undefined && ts.isObjectLiteralExpression(argument) ? argument : undefined;
}

/**
 * `export const routes = defineRoutes({ show: A, ...others })` becomes
 * `export const route$show = A, routes = { 'show': route$show, ...others }`, and passes on the exports of `others`.
 */
function separateRoutes(
  file: ts.SourceFile,
  statement: ts.VariableStatement,
  initializer: ts.Expression,
  literal: ts.ObjectLiteralExpression,
): Edit[] {
  const [declaration] = statement.declarationList.declarations;
  const name = declaration?.name.getText(file) ?? '';
  const entries: string[] = [];
  const passedOn: string[] = [];
  const edits: Edit[] = [];
  let from = declaration?.getStart(file) ?? 0;
  for (const property of literal.properties) {
    if (ts.isSpreadAssignment(property)) {
      entries.push(property.getText(file));
      passedOn.push(moduleOf(file, property.expression.getText(file)));
    } else if (ts.isPropertyAssignment(property)) {
      const route = ts.isStringLiteral(property.name) ? property.name.text : property.name.getText(file);
      entries.push(`'${route}': ${exportOf(route)}`);
      const value = property.initializer;
      const between = linesOf(source(file, from, value.getStart(file)));
      edits.push({
        at: from,
        end: value.getStart(file),
        put: `${between}${exportOf(route)} = ${removable.before}`,
      });
      edits.push({ at: value.getEnd(), put: `${removable.after}, ` });
      from = value.getEnd();
    } else throw new Error(`${name} has a property that is neither a route nor a spread`);
  }
  const whole = `${name} = ${removable.before}{ ${entries.join(', ')} }${removable.after}`;
  const rest = linesOf(source(file, from, initializer.getEnd()));
  edits.push({ at: from, end: initializer.getEnd(), put: `${rest}${whole}` });
  const exports = passedOn.map((path) => `; export * from '${path}'`).join('');
  edits.push({ at: file.getEnd(), put: exports });
  return edits;
}

const source = (file: ts.SourceFile, from: number, to: number) => file.text.slice(from, to);
const linesOf = (text: string) => '\n'.repeat(text.split('\n').length - 1);

/** The module from which a name is imported. */
function moduleOf(file: ts.SourceFile, name: string): string {
  const found = imports(file).find(({ names }) => names.some(({ local }) => local === name));
  if (found === undefined) throw new Error(`${name} is not imported: only imported routes are spread`);
  return found.path;
}

function imports(file: ts.SourceFile) {
  return file.statements.filter(ts.isImportDeclaration).map((statement) => {
    const bindings = statement.importClause?.namedBindings;
    const elements = bindings !== undefined && ts.isNamedImports(bindings) ? bindings.elements : [];
    return {
      path: (statement.moduleSpecifier as ts.StringLiteral).text,
      names: elements.map((one) => ({
        local: one.name.text,
        imported: (one.propertyName ?? one.name).text,
      })),
    };
  });
}

/** Each `routes.show` and `routes['show']` of an imported `routes`, and the import of its route. */
function routeUses(file: ts.SourceFile): Edit[] {
  const imported = imports(file).filter(({ path }) => /[/-]routes\.ts$/.test(path));
  return imported.flatMap(({ path, names }) => {
    const locals = new Set(
      names.filter((one) => /^routes$|Routes$/.test(one.imported)).map((one) => one.local),
    );
    const uses: Edit[] = [];
    const used = new Set<string>();
    const visit = (node: ts.Node): void => {
      const route = routeOf(node, locals);
      if (route !== undefined) {
        used.add(exportOf(route));
        uses.push({ at: node.getStart(file), end: node.getEnd(), put: exportOf(route) });
      } else if (!ts.isTypeNode(node)) ts.forEachChild(node, visit);
    };
    visit(file);
    if (used.size === 0) return [];
    return [...uses, { at: file.getEnd(), put: `; import { ${[...used].join(', ')} } from '${path}'` }];
  });
}

function routeOf(node: ts.Node, locals: ReadonlySet<string>): string | undefined {
  const isMember = ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node);
  if (!isMember || !ts.isIdentifier(node.expression) || !locals.has(node.expression.text)) return undefined;
  if (ts.isPropertyAccessExpression(node)) return node.name.text;
  return ts.isStringLiteral(node.argumentExpression) ? node.argumentExpression.text : undefined;
}

/** Whether esbuild keeps an unused expression: a call, a spread or a property may run code. */
function isKept(node: ts.Node): boolean {
  const mayRunCode = [ts.isCallExpression, ts.isNewExpression, ts.isSpreadAssignment, ts.isSpreadElement];
  if (mayRunCode.some((is) => is(node)) || ts.isPropertyAccessExpression(node)) return true;
  return ts.forEachChild(node, isKept) ?? false;
}
