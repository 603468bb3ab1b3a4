import { readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import ts from 'typescript';

export type FunctionNode = ts.FunctionLikeDeclaration & { readonly body: ts.ConciseBody };

/** The names that a block or a function declares, each with its place. */
type Scope = Map<string, ts.Identifier>;

/** Paths have slashes on every system, as the compiler has them. */
export const root = join(import.meta.dirname, '../../..').replaceAll(sep, '/');

/** The result of a function for each argument, computed once. */
function once<K, V>(compute: (key: K) => V): (key: K) => V {
  const known = new Map<K, { value: V }>();
  return (key) => {
    const found = known.get(key) ?? { value: compute(key) };
    known.set(key, found);
    return found.value;
  };
}

/** A module of this project. */
const sourceFile = once((path: string) =>
  ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.ES2024, true),
);

export const isFunction = (node: ts.Node): node is FunctionNode =>
  ts.isFunctionLike(node) && 'body' in node && node.body !== undefined;

export function functionAround({ parent }: ts.Node): FunctionNode | undefined {
  if (parent === undefined || isFunction(parent)) return parent;
  return functionAround(parent);
}

const opensScope = (node: ts.Node): boolean =>
  isFunction(node) ||
  ts.isBlock(node) ||
  ts.isCaseBlock(node) ||
  ts.isForStatement(node) ||
  ts.isForOfStatement(node);

const scopesOf = once((file: ts.SourceFile) => {
  const scopes = new Map<ts.Node, Scope>();
  const declare = (name: ts.BindingName, scope: ts.Node): void => {
    if (ts.isIdentifier(name)) scopes.set(scope, (scopes.get(scope) ?? new Map()).set(name.text, name));
    else for (const element of name.elements) if (ts.isBindingElement(element)) declare(element.name, scope);
  };
  const visit = (node: ts.Node, scope: ts.Node): void => {
    if (ts.isTypeNode(node)) return;
    if (declaresName(node) && node.name !== undefined) declare(node.name, scope);
    ts.forEachChild(node, (child) => visit(child, opensScope(node) ? node : scope));
  };
  visit(file, file);
  return scopes;
});

/** Of several overloads the last one counts, which has the body. */
const declaresName = (node: ts.Node) =>
  ts.isVariableDeclaration(node) ||
  ts.isParameter(node) ||
  ts.isFunctionDeclaration(node) ||
  ts.isImportSpecifier(node) ||
  ts.isNamespaceImport(node);

/** The place that declares a name, in this module or in the one that it imports from. */
export const declarationOf = once((name: ts.Identifier): ts.Identifier | undefined => {
  const scopes = scopesOf(name.getSourceFile());
  for (let node: ts.Node = name; node !== undefined; node = node.parent) {
    const found = scopes.get(node)?.get(name.text);
    if (found !== undefined) return imported(found);
  }
  return undefined;
});

function imported(name: ts.Identifier): ts.Identifier | undefined {
  const { parent } = name;
  return ts.isImportSpecifier(parent) ? exportOf(parent, (parent.propertyName ?? parent.name).text) : name;
}

/** A name that the module of an import exports. Undefined for a package. */
export function exportOf(node: ts.Node, name: string): ts.Identifier | undefined {
  if (!ts.isImportDeclaration(node)) return exportOf(node.parent, name);
  if (!ts.isStringLiteral(node.moduleSpecifier) || !node.moduleSpecifier.text.startsWith('.'))
    return undefined;
  return nameIn(posix.join(posix.dirname(node.getSourceFile().fileName), node.moduleSpecifier.text), name);
}

/** A name that a module declares or imports. */
export function nameIn(path: string, name: string): ts.Identifier | undefined {
  const file = sourceFile(path);
  const found = scopesOf(file).get(file)?.get(name);
  return found && imported(found);
}

/** The names of the fields that a module reads or gives a type, and its texts, which may be names. */
export const namesIn = once((path: string): ReadonlySet<string> => {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node) || ts.isPropertySignature(node)) names.add(node.name.getText());
    if (ts.isBindingElement(node)) names.add((node.propertyName ?? node.name).getText());
    if (ts.isStringLiteralLike(node)) names.add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(sourceFile(path));
  return names;
});
