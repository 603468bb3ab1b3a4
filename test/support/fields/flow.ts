import ts from 'typescript';
import { type InputObject, objectsIn } from './input-object.ts';
import { declarationOf, exportOf, type FunctionNode, functionAround, isFunction } from './sources.ts';
import * as values from './values.ts';

/**
 * Follows the input of a handler through the functions that it is passed to. A value is all that it can be: no order of
 * statements, no types, and each function is one for all its calls.
 */
export class Flow {
  /** The fields of which no read was found. */
  readonly unread = new Map<InputObject, Set<string>>();
  /** The objects that are stored whole, or read by names that are computed. */
  readonly escaped = new Set<InputObject>();
  readonly #context: values.Made;
  /** The functions that make the handler, before there is an input. */
  readonly #makers = new Set<FunctionNode>();
  readonly #values = new values.Values((unit) => {
    if (isFunction(unit)) this.#run(unit);
    else if (unit.initializer) this.#bind(unit.name, this.#evaluate(unit.initializer));
  });

  constructor(input: InputObject, handler: ts.Identifier) {
    this.#context = { fields: new Map([['input', new Set([input])]]), spread: new Set() };
    for (const object of objectsIn(input)) {
      if (object !== input && object.fields.size > 0) this.unread.set(object, new Set(object.fields.keys()));
    }
    this.#valueOf(handler);
    this.#values.settle(() => this.unread.size === 0);
  }

  /** The modules that the input came to. */
  get modules(): string[] {
    return this.#values.modules;
  }

  #run(node: FunctionNode): void {
    for (const { name, initializer } of node.parameters)
      if (initializer) this.#bind(name, this.#evaluate(initializer));
    const result = this.#evaluate(node.body);
    if (!ts.isBlock(node.body)) this.#values.grow(node, result);
  }

  #valueOf(name: ts.Identifier): values.Value {
    if (isFunction(name.parent) && name === name.parent.name) return values.only(name.parent);
    const constant = variableOf(name);
    // A constant of a module has its value before a function runs.
    if (constant && functionAround(constant) === undefined) this.#values.run(constant);
    return this.#values.of(name);
  }

  #bind(name: ts.BindingName, value: values.Value): void {
    if (ts.isIdentifier(name)) this.#values.grow(name, value);
    for (const element of ts.isIdentifier(name) ? [] : name.elements) {
      if (!ts.isBindingElement(element)) continue;
      const isWhole = ts.isArrayBindingPattern(name) || element.dotDotDotToken !== undefined;
      const found = isWhole ? value : this.#field(value, textOf(element.propertyName ?? element.name));
      this.#bind(
        element.name,
        element.initializer ? values.union(found, this.#evaluate(element.initializer)) : found,
      );
    }
  }

  /** The value of a field, which counts as read. Without a name it is any of them. */
  #field(value: values.Value, name: string | undefined): values.Value {
    const found = new Set<values.Part>();
    const objects = new Set(value);
    for (const part of objects) {
      if (values.isMade(part)) {
        const { fields, spread } = this.#values.in(part);
        for (const one of name === undefined ? values.partsOf(part) : (fields.get(name) ?? []))
          found.add(one);
        for (const one of spread) objects.add(one);
      } else if (values.isInput(part)) {
        for (const one of name === undefined ? this.#anyField(part) : this.#namedField(part, name))
          found.add(one);
      }
    }
    return found;
  }

  #anyField(object: InputObject): readonly InputObject[] {
    const all = objectsIn(object);
    for (const one of all) this.escaped.add(one);
    return all;
  }

  #namedField(object: InputObject, name: string): readonly InputObject[] {
    const unread = this.unread.get(object);
    unread?.delete(name);
    if (unread?.size === 0) this.unread.delete(object);
    return object.fields.get(name) ?? [];
  }

  #evaluate(node: ts.Node): values.Value {
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node)) return values.nothing;
    if (ts.isIdentifier(node)) {
      const name = declarationOf(node);
      return name === undefined ? values.nothing : this.#valueOf(name);
    }
    if (ts.isStringLiteralLike(node)) return values.only(node.text);
    if (isFunction(node)) return this.#function(node);
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) return this.#call(node);
    if (ts.isPropertyAccessExpression(node)) return this.#access(node);
    if (ts.isElementAccessExpression(node)) return this.#element(node);
    if (ts.isObjectLiteralExpression(node)) return this.#object(node);
    if (ts.isBinaryExpression(node)) return this.#binary(node);
    if (ts.isStatement(node) || ts.isVariableDeclaration(node)) return this.#statement(node);
    const all = this.#children(node);
    return ts.isPrefixUnaryExpression(node) || ts.isTypeOfExpression(node) || ts.isTemplateExpression(node)
      ? values.nothing
      : all;
  }

  #children(node: ts.Node): values.Value {
    let all = values.nothing;
    ts.forEachChild(node, (child) => {
      all = values.union(all, this.#evaluate(child));
    });
    return all;
  }

  #statement(node: ts.Statement | ts.VariableDeclaration): values.Value {
    if (ts.isVariableDeclaration(node)) {
      if (node.initializer) this.#bind(node.name, this.#evaluate(node.initializer));
      return values.nothing;
    }
    const value = this.#children(node);
    const around = functionAround(node);
    if (ts.isReturnStatement(node) && around) this.#values.grow(around, value);
    if (ts.isForOfStatement(node) && ts.isVariableDeclarationList(node.initializer)) {
      const elements = this.#evaluate(node.expression);
      for (const { name } of node.initializer.declarations) this.#bind(name, elements);
    }
    return values.nothing;
  }

  /** A function within one that runs may run at any time. */
  #function(node: FunctionNode): values.Value {
    if (ts.isFunctionDeclaration(node)) return values.nothing;
    if (functionAround(node) !== undefined) this.#values.plan(node);
    return values.only(node);
  }

  #access({ expression, name }: ts.PropertyAccessExpression): values.Value {
    const receiver = ts.isIdentifier(expression) ? declarationOf(expression)?.parent : undefined;
    if (receiver === undefined || !ts.isNamespaceImport(receiver))
      return this.#field(this.#evaluate(expression), name.text);
    const found = exportOf(receiver, name.text);
    return found ? this.#valueOf(found) : values.nothing;
  }

  #element({ expression, argumentExpression }: ts.ElementAccessExpression): values.Value {
    const value = this.#evaluate(expression);
    if (ts.isNumericLiteral(argumentExpression)) return value;
    const texts = [...this.#evaluate(argumentExpression)].filter((part) => typeof part === 'string');
    const inputs = new Set([...value].filter(values.isInput));
    const found = this.#field(new Set([...value].filter(values.isMade)), undefined);
    const names = texts.length === 0 ? [undefined] : texts;
    return names.map((name) => this.#field(inputs, name)).reduce(values.union, found);
  }

  #object(node: ts.ObjectLiteralExpression): values.Value {
    const made = this.#values.made(node);
    for (const property of node.properties) {
      if (ts.isSpreadAssignment(property))
        this.#values.put(made, undefined, this.#evaluate(property.expression));
      else if (property.name) this.#values.put(made, textOf(property.name), this.#propertyValue(property));
    }
    return values.partsOf(made).length === 0 ? values.nothing : values.only(made);
  }

  #propertyValue(property: ts.ObjectLiteralElementLike): values.Value {
    if (ts.isPropertyAssignment(property)) return this.#evaluate(property.initializer);
    if (ts.isShorthandPropertyAssignment(property)) return this.#evaluate(property.name);
    return isFunction(property) ? this.#function(property) : values.nothing;
  }

  #binary({ left, operatorToken: { kind }, right }: ts.BinaryExpression): values.Value {
    const into = this.#evaluate(left);
    const from = this.#evaluate(right);
    if (kind === ts.SyntaxKind.InKeyword)
      for (const part of into) if (typeof part === 'string') this.#field(from, part);
    if (kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment)
      this.#assign(left, from);
    return choosing.has(kind) ? values.union(into, from) : values.nothing;
  }

  #assign(target: ts.Expression, value: values.Value): void {
    const name = ts.isIdentifier(target) ? declarationOf(target) : undefined;
    if (name) this.#values.grow(name, value);
    if (ts.isPropertyAccessExpression(target) || ts.isElementAccessExpression(target))
      for (const part of this.#evaluate(target.expression))
        if (values.isMade(part)) this.#values.put(part, undefined, value);
  }

  #call(node: ts.CallExpression | ts.NewExpression): values.Value {
    const callees = [...this.#evaluate(node.expression)].filter(values.isNode);
    const args = (node.arguments ?? []).map((argument) => this.#evaluate(argument));
    if (callees.length === 0) return this.#callUnknown(node.expression, args);
    return callees.map((callee) => this.#enter(callee, args)).reduce(values.union, values.nothing);
  }

  #enter(callee: FunctionNode, args: readonly values.Value[]): values.Value {
    if (isEndpoint(callee)) return this.#start(args);
    const { running } = this.#values;
    if (running === undefined || !isFunction(running) || this.#makers.has(running)) this.#makers.add(callee);
    // A function that has nothing of the input reads nothing of it.
    else if (!args.some((arg) => this.#carriesInput(arg))) return this.#values.of(callee);
    return this.#apply(callee, args);
  }

  /** The handler gets the input, and its authenticator a context that holds it. */
  #start([, handle = values.nothing, ...authenticators]: readonly values.Value[]): values.Value {
    for (const node of [...handle].filter(values.isNode))
      this.#apply(node, [this.#context.fields.get('input') ?? values.nothing]);
    for (const node of authenticators.flatMap((all) => [...all]).filter(values.isNode))
      this.#apply(node, [values.only(this.#context)]);
    return values.nothing;
  }

  #apply(callee: FunctionNode, args: readonly values.Value[]): values.Value {
    this.#values.plan(callee);
    for (const [i, { name, dotDotDotToken }] of callee.parameters.entries())
      this.#bind(
        name,
        dotDotDotToken ? args.slice(i).reduce(values.union, values.nothing) : (args[i] ?? values.nothing),
      );
    return this.#values.of(callee);
  }

  #carriesInput(value: values.Value): boolean {
    const all = new Set(value);
    for (const part of all) {
      if (values.isInput(part)) return true;
      if (values.isNode(part)) for (const one of this.#values.of(part)) all.add(one);
      if (values.isMade(part)) for (const one of values.partsOf(this.#values.in(part))) all.add(one);
    }
    return false;
  }

  /** A method of a list or a promise, or a function of a package. It may call its arguments with what it has. */
  #callUnknown(callee: ts.Expression, args: readonly values.Value[]): values.Value {
    const receiver = ts.isPropertyAccessExpression(callee) ? callee.expression : undefined;
    const all = args.reduce(values.union, receiver ? this.#evaluate(receiver) : values.nothing);
    const data: values.Value = new Set([...all].filter((part) => !values.isNode(part)));
    const results = [...all].filter(values.isNode).map((node) =>
      this.#enter(
        node,
        args.map(() => data),
      ),
    );
    const name = callee.getText();
    // Commands of the AWS SDK.
    if (name.endsWith('Command')) this.#escape(data);
    if (receiver && /\.(push|unshift|add|set)$/.test(name)) this.#assign(receiver, data);
    return results.reduce(values.union, makesText.test(name) ? values.nothing : data);
  }

  #escape(value: values.Value): void {
    const all = new Set(value);
    for (const part of all) {
      if (values.isInput(part)) this.#anyField(part);
      if (values.isMade(part)) for (const one of values.partsOf(this.#values.in(part))) all.add(one);
    }
  }
}

/** These make texts and numbers of all that they are given. */
const makesText = /^(JSON|String|Number|Math)\b/;

const choosing: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.QuestionQuestionToken,
  ts.SyntaxKind.EqualsToken,
  ts.SyntaxKind.CommaToken,
]);

const textOf = (name: ts.Node): string | undefined =>
  ts.isIdentifier(name) || ts.isStringLiteralLike(name) || ts.isNumericLiteral(name) ? name.text : undefined;

function variableOf({ parent }: ts.Node): ts.VariableDeclaration | undefined {
  if (ts.isVariableDeclaration(parent)) return parent;
  return ts.isBindingElement(parent) || ts.isBindingName(parent) ? variableOf(parent) : undefined;
}

const isEndpoint = (node: FunctionNode): boolean =>
  ts.isFunctionDeclaration(node) &&
  node.name?.text === 'endpoint' &&
  node.getSourceFile().fileName.endsWith('/functions/shared/lambda/endpoint.ts');
