import type { OperationId } from '../client/api.ts';
import type { Field } from '../client/package/operator-file.ts';

/** The base URL of the API and the operator key. */
export interface Connection {
  url: string;
  key: string;
}

/** An option of a verb, and the field that it sets. `switch` is a flag that only `--name` sets. */
export interface Option extends Pick<Field, 'help' | 'required' | 'oneOf'> {
  readonly type: Field['type'] | 'switch';
  readonly field: string;
}

/** A command. Help, completion, the parsing of arguments and tests are derived from it. */
export interface Verb {
  /** `key revoke` */
  readonly name: string;
  /** A second name, which works as well. */
  readonly alias?: string;
  /** One sentence. */
  readonly summary: string;
  /** The positional arguments in order, each with the field that it sets. */
  readonly positionals?: readonly { readonly name: string; readonly field: string }[];
  /** The name of arguments that follow these, as many as there are. */
  readonly rest?: string;
  readonly options?: Readonly<Record<string, Option>>;
  /** It asks before it acts, unless `--yes` is given. */
  readonly asks?: boolean;
  readonly notes?: string;
  /** The operation that it requests, if it is one. */
  readonly operation?: OperationId;
  /** @returns undefined when a question was not confirmed, and nothing was done. */
  readonly run: (parsed: ParsedArguments, session: Session) => Promise<Result | undefined>;
}

/** The parsed arguments of a command. */
export interface ParsedArguments {
  readonly help: boolean;
  readonly json: boolean;
  readonly yes: boolean;
  readonly url?: string;
  /** By the names of fields: positional arguments and options. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly rest: readonly string[];
}

/** The result of a command: the JSON of a response, with the next step if it cannot be shown; or a page in another format. */
export type Result = { readonly note?: string | undefined } & (
  | { readonly body: unknown; readonly unseen?: string | undefined }
  | { readonly text: string }
);

/** The process's environment and terminal. */
export interface Terminal {
  env: Record<string, string | undefined>;
  /** Writes results to standard output. @throws CommandFailed when they cannot be written */
  out(text: string): Promise<void>;
  /** Writes messages to standard error. */
  say(text: string): void;
  /** Asks a question. Undefined when standard input is not a terminal. */
  ask: ((question: string) => Promise<string>) | undefined;
  /** The width of standard output in characters, 80 by default. */
  columns?: number;
  /** Whether standard error is a terminal, on which progress is drawn as one line. */
  redraws?: boolean;
  version?: string;
}

/** The surroundings of a command that runs. */
export interface Session {
  readonly terminal: Terminal;
  readonly json: boolean;
  /** Whether `--yes` is given: no question is asked. */
  readonly yes: boolean;
  /** @throws UsageError when the environment has no address or key. */
  connection(): Connection;
  /**
   * Asks, unless `--yes` is given.
   *
   * @throws UsageError when there is no terminal to ask on.
   */
  confirm(question: string): Promise<boolean>;
  /**
   * Writes a result at once, before the command ends.
   *
   * @param unseen the next step when it cannot be written, for a result with a secret that is not shown again.
   * @throws CommandFailed when it cannot be written
   */
  show(body: unknown, unseen?: string): Promise<void>;
}

/** Options, by the type of their values. Each takes the field that it sets, and its help. */
const option =
  (type: Option['type'], more: Pick<Option, 'required'> = {}) =>
  (field: string, help: string): Option => ({ type, field, help, ...more });
export const text = option('text');
export const requiredText = option('text', { required: true });
/** Of each change whose request has no reason in its body. */
export const reasonOption = text('reason', 'Why, for the audit record.');
export const number = option('number');
export const json = option('json');
export const only = option('switch');

export const reasonIn = ({ reason }: ParsedArguments['fields']): string | undefined =>
  reason === undefined ? undefined : String(reason);

/** The text of a field; empty when it is absent. */
export const textOf = (fields: ParsedArguments['fields'], name: string): string => String(fields[name] ?? '');
