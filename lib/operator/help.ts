import { exitCodes } from './api.ts';
import { spellings } from './arguments.ts';
import { aligned, indent } from './print.ts';
import type { Option, Verb } from './verb.ts';

const program = 'npm run --silent operator --';

const common: [string, string][] = [
  ['--json', 'prints the response, or the error, as JSON'],
  ['--url <url>', 'base URL of the API; default: VOUCHSAFE_URL, else localhost at PORT or 3000'],
  ['-h, --help', 'shows this help'],
];

/** The help on all verbs and on the environment. */
export function generalHelp(verbs: readonly Verb[], width?: number): string {
  return `Administers Vouchsafe: applications, keys, plans, users, reviews, payments, mails, webhooks and events.

Usage: ${program} <verb> [arguments] [options]

${columns(
  verbs.map((verb) => [usage(verb), verb.summary]),
  width,
)}

${columns([...common, ['-v, --version', 'shows the version']], width)}

The operator key is read from VOUCHSAFE_OPERATOR_KEY and never from an option: a command line is stored in the
shell's history and visible to every user of the machine in the process list.
  Local stack:     curl http://localhost:3000/_local/demo    (operatorKey)
  Deployed stack:  ${program} bootstrap --table <table> --name <person>

With --json, an error is an object on standard error: code, message and next; from the API also status,
details and auditId.

Exit codes:
${columns(
  Object.values(exitCodes).map(([code, meaning]) => [String(code), meaning]),
  width,
)}
`;
}

/** The help on one verb: its arguments and options. */
export function verbHelp(verb: Verb, width?: number): string {
  const options = Object.entries(verb.options ?? {}).map(([name, one]): [string, string] => [
    `${spellings(name, one).join(' | ')}${placeholder(one)}`,
    `${one.help}${one.type === 'list' ? ' Repeatable.' : ''}${one.required ? ' (required)' : ''}`.trim(),
  ]);
  const confirmation: [string, string][] = verb.asks ? [['-y, --yes', 'does not ask for confirmation']] : [];
  return `${verb.summary}

Usage: ${program} ${usage(verb)}${options.length > 0 ? ' [options]' : ''}

${columns([...options, ...confirmation, ...common], width)}
${verb.notes === undefined ? '' : `\n${verb.notes}\n`}`;
}

function usage({ name, positionals = [], rest }: Verb): string {
  const more = rest === undefined ? [] : [`[${rest}...]`];
  return [name, ...positionals.map((one) => `<${one.name}>`), ...more].join(' ');
}

function placeholder({ type, oneOf }: Option): string {
  if (type === 'flag' || type === 'switch') return '';
  return ` <${oneOf?.join('|') ?? (type === 'list' ? 'text' : type)}>`;
}

const columns = (pairs: readonly (readonly [string, string])[], width = 100): string =>
  aligned(pairs, width - indent.length, 40).replaceAll(/^(?=.)/gm, indent);
