/** The commands that operators have forms for, as their contracts say. */
import type { OperatorScope } from '../../shared/contract/operator-scopes.ts';
import type { Input, Output, Route, Routes, Words } from '../../shared/contract/route.ts';
import type { Markup } from '../../shared/html/markup.ts';
import { type ConsolePath, withQuery } from '../pages/visit.ts';

/** A command with its place in the registry. */
export interface Command {
  /** Its service: `applications`. */
  readonly service: string;
  /** Its name within the service: `key-create`. */
  readonly name: string;
  readonly route: Route;
  readonly words: Words;
}

/** The names of the commands of a service: of its routes that have words. */
type CommandName<R extends Routes> = {
  [N in keyof R & string]: R[N] extends { readonly words: Words } ? N : never;
}[keyof R & string];

/** The function of a command, and what it did in words, where these depend on the response. */
export interface CommandWithNotice<I, O> {
  readonly run: (input: I) => Promise<O>;
  readonly notice: (response: O) => string;
}

/** The changes that a command would make, for people. */
export interface Preview {
  readonly content: Markup;
  /** The revision of the record that it is of; undefined when there is nothing to change. */
  readonly revision: number | undefined;
}

/** The function of a command, and the changes that it would make. */
export interface CommandWithPreview<I> {
  readonly run: (input: I) => unknown;
  readonly preview: (input: I) => Promise<Preview>;
}

/** The functions of all commands of a service, by their names. A command without one does not compile. */
export type Commands<R extends Routes> = {
  readonly [N in CommandName<R>]: R[N] extends { readonly words: { readonly preview: string } }
    ? CommandWithPreview<Input<R[N]>>
    : ((input: Input<R[N]>) => unknown) | CommandWithNotice<Input<R[N]>, Output<R[N]>>;
};

/** A command of which a page has the form. */
export const commandOf = <R extends Route & { readonly words: Words }>(
  service: string,
  name: string,
  route: R,
): Command => ({ service, name, route, words: route.words });

/** The commands of a service, in the order of its registry. */
export const commandsOf = (service: string, routes: Routes): Command[] =>
  Object.entries(routes).flatMap(([name, route]) =>
    route.words === undefined ? [] : [{ service, name, route, words: route.words }],
  );

/** The address of the form of a command. @param fields that it comes with, and the page that follows. */
export const operationPath = (
  service: string,
  operation: string,
  fields: Readonly<Record<string, string | undefined>> = {},
): ConsolePath => withQuery('/console/operations', Object.assign({ service, operation }, fields));

/** Whether an operator names the application that they act for. */
export const actsFor = ({ auth }: Pick<Route, 'auth'>): boolean =>
  auth === 'seller' || auth === 'application';

/** The scope of a command; `any` for a form that names none, which is refused later. */
export const neededScope = (command: Command | undefined): OperatorScope | 'any' =>
  command === undefined ? 'any' : (command.route.operatorScope ?? 'admin');
