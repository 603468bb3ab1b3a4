/** The verbs that are one request each: they follow from the operations that an operator key may call. */
import { defined } from '../../functions/shared/contract/defined.ts';
import { isObject, mergePatch } from '../../functions/shared/contract/merge-patch.ts';
import { cursorOf } from '../client/api/operation-row.ts';
import { operations } from '../client/api/operations.ts';
import type { OperationId, OperationRow } from '../client/api.ts';
import type { DescribedOperation } from '../client/package/operator-file.ts';
import { allPages, CommandFailed, type Request, requireApplicationId, send } from './api.ts';
import { UsageError } from './arguments.ts';
import { argumentName, decisionVerbs, type Extra, extras, optionNameOf, verbName } from './extras.ts';
import { described } from './operations.ts';
import { printable } from './print.ts';
import {
  type Option,
  only,
  type ParsedArguments,
  type Result,
  reasonIn,
  reasonOption,
  type Session,
  type Verb,
} from './verb.ts';

type Fields = ParsedArguments['fields'];

/** An operation with all that its verb needs. */
interface Command {
  readonly id: OperationId;
  /** `key create` */
  readonly name: string;
  readonly row: OperationRow;
  readonly description: DescribedOperation;
  readonly extra: Extra;
}

const commands = described.map((description): Command => {
  const { id } = description;
  const extra = extras[id] ?? {};
  return { id, name: extra.name ?? verbName(id), row: operations[id], description, extra };
});

/** @throws Error for an operation that an operator key may not call. */
export function commandOf(id: OperationId): Command {
  const command = commands.find((one) => one.id === id);
  if (command === undefined) throw new Error(`No operator key may call ${id}.`);
  return command;
}

/** The operation of a verb, by its name. */
export const commandNamed = (name: string): Command | undefined =>
  commands.find((command) => command.name === name);

function verbOf(command: Command, fixed: Fields = {}): Verb {
  const { id, name, description } = command;
  const derived = verbName(id);
  return {
    name,
    summary: description.summary,
    positionals: positionalsOf(command),
    options: optionsOf(command, fixed),
    asks: questionOf(command) !== undefined || overwrites(command),
    operation: id,
    ...defined({ alias: name === derived ? undefined : derived }),
    run: ({ fields }, session) => runOperation(command, { ...fields, ...fixed }, session),
  };
}

/** The application that the operator acts for, the parameters of the path, and the field that a search needs. */
function positionalsOf({ row, description }: Command): { name: string; field: string }[] {
  const inPath = [...row.path.matchAll(/([\w-]+)\/\{(\w+)\}/g)].map(([, folder = '', field = '']) => ({
    name: argumentName(folder, field),
    field,
  }));
  const needed = description.fields.filter((one) => isPositional(row, one));
  return [
    ...(row.actsFor ? [{ name: 'application', field: 'applicationId' }] : []),
    ...inPath,
    ...needed.map(({ name }) => ({ name: 'text', field: name })),
  ];
}

const isPositional = ({ method }: OperationRow, { required }: { required?: true }) =>
  method === 'GET' && required === true;

function optionsOf({ name: verb, row, description, extra }: Command, fixed: Fields): Record<string, Option> {
  const object = verb.split(' ', 1).join();
  const fields = description.fields.filter(
    (one) => !isPositional(row, one) && !Object.hasOwn(fixed, one.name),
  );
  const values = Object.values(fixed);
  const own = fields.map((field): [string, Option] => {
    const { name, type, help, requiredWith = [], oneOf } = field;
    const required = field.required ?? (requiredWith.some((value) => values.includes(value)) || undefined);
    return [
      extra.options?.[name] ?? optionNameOf(field, object),
      { field: name, type, help, ...defined({ required, oneOf }) },
    ];
  });
  return {
    ...Object.fromEntries(own),
    ...defined({
      all: row.list === undefined ? undefined : only('all', 'All pages: as many requests as they take.'),
      reason: description.takesReason ? reasonOption : undefined,
      csv: description.csv ? only('csv', 'Prints the page as CSV, as it is received.') : undefined,
    }),
  };
}

/** Runs an operation after its question. */
export async function runOperation(
  command: Command,
  given: Fields,
  session: Session,
): Promise<Result | undefined> {
  const { all, csv, ...fields } = given;
  const isCsv = csv === true;
  const request = requestOf(command, fields, isCsv);
  const { accept } = request;
  if (accept !== undefined && (session.json || (isCsv && fields.format !== undefined)))
    throw new UsageError('Use only one of --json, --csv and --format.');
  // Each page of another format has a head of its own.
  if (all === true && accept !== undefined && !isCsv) throw new UsageError('Use --all with JSON or --csv.');
  if (!(await isConfirmed(command, request, session))) return undefined;
  if (all === true) return readAll(command, request, session);
  const body = await send(session.connection(), request);
  const { nextCursor, text } = isObject(body) ? body : {};
  const note =
    typeof nextCursor === 'string'
      ? `For the next page: --${cursorOf(command.row)} ${printable(nextCursor)}`
      : undefined;
  const unseen = unseenOf(command, Object.assign({}, given, isObject(body) ? body : {}));
  return accept === undefined
    ? { body, note: noteOf(command) ?? note, unseen }
    : { text: `${given.format === 'datev' ? byteOrderMark : ''}${text}`, note };
}

const noteOf = ({ description, extra }: Command) =>
  description.secret ? 'Store the secret now: it is not shown again.' : extra.note;

/** DATEV takes a file that begins with it for UTF-8, as which the text is written. */
const byteOrderMark = '\uFEFF';

/** The next step of a command whose secret nobody has seen, with the ids of its request and response. */
function unseenOf({ extra: { unseen } }: Command, values: unknown): string | undefined {
  const textAt = (_: string, path: string) =>
    printable(String(path.split('.').reduce((one, name) => (isObject(one) ? one[name] : undefined), values)));
  return unseen && `Nobody has seen the secret. Use: ${unseen.replaceAll(/\{([\w.]+)\}/g, textAt)}`;
}

/** The request of a command. The fields are those of the query or the body, and the parameters of the path. */
export function requestOf({ row, description, extra }: Command, given: Fields, isCsv = false): Request {
  const { applicationId, reason, ...others } = given;
  const own = {
    applicationId: row.actsFor ? undefined : applicationId,
    reason: description.takesReason ? undefined : reason,
  };
  const fields = Object.assign(others, defined(own));
  const emptied = description.fields.filter(({ orEmpty, name }) => orEmpty && !Object.hasOwn(fields, name));
  const format = typeof fields.format === 'string' ? extra.formats?.[fields.format] : undefined;
  return {
    row,
    input: { ...Object.fromEntries(emptied.map(({ name }) => [name, []])), ...fields },
    ...defined({
      applicationId: row.actsFor ? requireApplicationId(String(applicationId)) : undefined,
      accept: isCsv ? 'text/csv' : format,
      reason: description.takesReason ? reasonIn(given) : undefined,
    }),
  };
}

/** CSV is written page by page, with one header. */
async function readAll({ row: { list = '' } }: Command, request: Request, session: Session): Promise<Result> {
  const { accept } = request;
  const entries: unknown[] = [];
  let isFirst = true;
  for await (const entry of allPages(session.connection(), request)) {
    const page = String(entry);
    if (accept === undefined) entries.push(entry);
    else await session.terminal.out(isFirst ? page : page.slice(page.indexOf('\n') + 1));
    isFirst = false;
  }
  return accept === undefined ? { body: { [list]: entries } } : { text: '' };
}

/** An operation that replaces values of a record. */
const overwrites = (command: Command) =>
  ['PUT', 'PATCH'].includes(command.row.method) && readerOf(command) !== undefined;

/** The operation that reads the record under the same path. */
const readerOf = ({ row }: Command): Command | undefined =>
  commands.find((one) => one.row.method === 'GET' && one.row.path === row.path);

/** The question before a request: that of its contract, or else of the command line alone. */
const questionOf = ({ description, extra }: Command) => description.question ?? extra.question;

/** Shows the changes that the request makes, and asks. A record that does not exist is created without a question. */
async function isConfirmed(command: Command, request: Request, session: Session): Promise<boolean> {
  if (session.yes) return true;
  const question = questionOf(command);
  const object = command.name.split(' ', 1).join().replaceAll('-', ' ');
  if (question !== undefined) {
    const text = typeof question === 'string' ? question : question(request.input);
    return text === undefined || session.confirm(text);
  }
  const reader = overwrites(command) ? readerOf(command) : undefined;
  if (reader === undefined) return true;
  const former = await formerOf(reader, request, session);
  if (former === 'none') return true;
  const changes = Object.entries(request.input).filter(([name]) => !command.row.path.includes(`{${name}}`));
  session.terminal.say(`${difference(former, Object.fromEntries(changes))}\n`);
  return session.confirm(`Change the ${object}?`);
}

/** The record that a request replaces: the object of the answer. */
async function formerOf(reader: Command, request: Request, session: Session): Promise<unknown> {
  const inPath = Object.entries(request.input).filter(([name]) => reader.row.path.includes(`{${name}}`));
  const read = { ...request, row: reader.row, input: Object.fromEntries(inPath) };
  const body = await send(session.connection(), read).catch((error: unknown) => {
    if (error instanceof CommandFailed && error.failure.status === 404) return undefined;
    throw error;
  });
  return body === undefined ? 'none' : (Object.values(isObject(body) ? body : {}).find(isObject) ?? {});
}

/**
 * The changes that an update makes, as lines that begin with `-` for a present value and `+` for a new one. The service merges in
 * the same way.
 *
 * @param former the present record.
 */
function difference(former: unknown, changes: Readonly<Record<string, unknown>>): string {
  const before = valuesOf(former);
  const after = valuesOf(mergePatch(former, changes));
  const paths = [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path) !== after.get(path),
  );
  const lines = paths.flatMap((path) => [
    ...(before.has(path) ? [`- ${path}: ${before.get(path)}`] : []),
    ...(after.has(path) ? [`+ ${path}: ${after.get(path)}`] : []),
  ]);
  return lines.length === 0
    ? 'No changes: the record already has these values.'
    : lines.map(printable).join('\n');
}

/** The values of an object, as JSON, by their paths: `settings.banking.iban`. */
function valuesOf(value: unknown, path = ''): Map<string, string> {
  if (!isObject(value)) return new Map([[path, JSON.stringify(value)]]);
  return new Map(
    Object.entries(value).flatMap(([name, one]) => [
      ...valuesOf(one, path === '' ? name : `${path}.${name}`),
    ]),
  );
}

/** A verb for each operation that an operator key may call. */
export const requestVerbs: readonly Verb[] = [
  ...commands.map((command) => verbOf(command)),
  ...decisionVerbs.map(([name, decision, summary]) =>
    Object.assign(verbOf(commandOf('decideReview'), { decision }), { name, summary }),
  ),
];
