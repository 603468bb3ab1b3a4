import type ts from 'typescript';
import type { InputObject } from './input-object.ts';
import { type FunctionNode, isFunction } from './sources.ts';

/** An object that an expression makes. */
export interface Made {
  readonly fields: Map<string, Set<Part>>;
  /** All that it has under names that are not written there. */
  readonly spread: Set<Part>;
}

/** A text counts where it is the name of a field. */
export type Part = InputObject | FunctionNode | Made | string;

/** All that an expression can be. A list is its elements, and a promise its result. */
export type Value = ReadonlySet<Part>;

export const nothing: Value = new Set();

export const isMade = (part: Part): part is Made => typeof part === 'object' && 'spread' in part;
export const isInput = (part: Part): part is InputObject => typeof part === 'object' && 'path' in part;
export const isNode = (part: Part): part is FunctionNode => typeof part === 'object' && 'kind' in part;

export const only = (part: Part): Value => new Set([part]);

export const union = (one: Value, other: Value): Value => {
  if (other.size === 0) return one;
  return one.size === 0 ? other : new Set([...one, ...other]);
};

export const partsOf = ({ fields, spread }: Made): Part[] =>
  [...fields.values(), spread].flatMap((all) => [...all]);

/** Code that has a value: a function, or a constant of a module. */
type Unit = FunctionNode | ts.VariableDeclaration;

/** The values of names, functions and objects. They only grow, and a unit that has read one runs again when it grows. */
export class Values {
  readonly #slots = new Map<ts.Node, Set<Part>>();
  readonly #made = new Map<ts.Node, Made>();
  readonly #readers = new Map<object, Set<Unit>>();
  readonly #due = new Set<Unit>();
  readonly #seen = new Set<Unit>();
  readonly #evaluate: (unit: Unit) => void;
  running: Unit | undefined;

  constructor(evaluate: (unit: Unit) => void) {
    this.#evaluate = evaluate;
  }

  /** Plans a unit, once. */
  plan(unit: Unit): void {
    if (!this.#seen.has(unit)) this.#due.add(unit);
    this.#seen.add(unit);
  }

  /** Runs a unit now, the first time. */
  run(unit: Unit): void {
    if (this.#seen.has(unit)) return;
    this.#seen.add(unit);
    this.#runNow(unit);
  }

  /** Runs what is planned, until nothing grows or nothing is left to find. */
  settle(isDone: () => boolean): void {
    for (const unit of this.#due) {
      if (isDone()) return;
      this.#due.delete(unit);
      this.#runNow(unit);
    }
  }

  #runNow(unit: Unit): void {
    const outer = this.running;
    this.running = unit;
    this.#evaluate(unit);
    this.running = outer;
  }

  /** The modules of the functions that ran. */
  get modules(): string[] {
    return [...this.#seen].filter(isFunction).map((node) => node.getSourceFile().fileName);
  }

  /** The value of a name, or of the calls of a function. */
  of(node: ts.Node): Value {
    const slot = this.#slot(node);
    this.#read(slot);
    return slot;
  }

  grow(node: ts.Node, value: Value): void {
    const slot = this.#slot(node);
    this.#add(slot, value, slot);
  }

  /** The object that an expression makes: one for all the times that it runs. */
  made(node: ts.Node): Made {
    const made = this.#made.get(node) ?? { fields: new Map(), spread: new Set() };
    this.#made.set(node, made);
    return made;
  }

  /** Puts a value into an object, under a name or under any. Texts in objects are no names of fields. */
  put(made: Made, name: string | undefined, value: Value): void {
    if ([...value].every((part) => typeof part === 'string')) return;
    const slot = name === undefined ? made.spread : (made.fields.get(name) ?? new Set<Part>());
    if (name !== undefined) made.fields.set(name, slot);
    this.#add(slot, value, made);
  }

  /** The parts of an object. */
  in(made: Made): Made {
    this.#read(made);
    return made;
  }

  #slot(node: ts.Node): Set<Part> {
    const slot = this.#slots.get(node) ?? new Set<Part>();
    this.#slots.set(node, slot);
    return slot;
  }

  #add(slot: Set<Part>, value: Value, owner: object): void {
    const { size } = slot;
    for (const part of value) slot.add(part);
    if (slot.size > size) for (const unit of this.#readers.get(owner) ?? []) this.#due.add(unit);
  }

  #read(owner: object): void {
    if (this.running === undefined) return;
    this.#readers.set(owner, (this.#readers.get(owner) ?? new Set()).add(this.running));
  }
}
