import { optionName } from './arguments.ts';
import { argumentNames, type Option, type Verb } from './verb.ts';

const program = 'npm run --silent operator --';

/** The parts of a verb that help shows, whether the verb is a request or not. */
export type VerbDescription = Pick<
  Verb,
  'name' | 'summary' | 'options' | 'confirmation' | 'actsFor' | 'argument'
> & {
  path?: string;
  notes?: string;
};

const common: [string, string][] = [
  ['--json', 'prints the response, or the error, as JSON'],
  ['--url <url>', 'base URL of the API; default: VOUCHSAFE_URL, else localhost at PORT or 3000'],
  ['-h, --help', 'shows this help'],
];

/** The help on all verbs and on the environment. */
export function generalHelp(verbs: readonly VerbDescription[]): string {
  return `Administers Vouchsafe: applications, keys, plans, users, reviews, mails, webhooks and events.

Usage: ${program} <verb> [arguments] [options]

${columns(verbs.map((verb) => [usage(verb), verb.summary]))}

${columns([...common, ['-v, --version', 'shows the version']])}

The operator key is read from VOUCHSAFE_OPERATOR_KEY and never from an option: a command line is stored in the
shell's history and visible to every user of the machine in the process list.
  Local stack:     curl http://localhost:3000/_local/demo    (operatorKey)
  Deployed stack:  ${program} bootstrap --table <table> --name <person>

With --json, an error is an object on standard error: code, message and next; from the API also status,
details and auditId.

Exit codes: 0 success, 1 failure, 2 invalid command line.
`;
}

/** The help on one verb: its arguments and options. */
export function verbHelp(verb: VerbDescription): string {
  const options = Object.entries(verb.options ?? {}).map(([name, one]): [string, string] => [
    one.type === 'flag' ? optionName(name, one) : `--${name} <${placeholder(one)}>`,
    `${one.help}${one.required ? ' (required)' : ''}`,
  ]);
  const confirmation: [string, string][] =
    verb.confirmation === undefined ? [] : [['-y, --yes', 'does not ask for confirmation']];
  return `${verb.summary}

Usage: ${program} ${usage(verb)}${options.length > 0 ? ' [options]' : ''}

${columns([...options, ...confirmation, ...common])}
${verb.notes === undefined ? '' : `\n${verb.notes}\n`}`;
}

function usage(verb: VerbDescription): string {
  return [verb.name, ...argumentNames(verb).map((one) => `<${one}>`)].join(' ');
}

function placeholder({ type, oneOf }: Option): string {
  return oneOf?.join('|') ?? (type === 'list' ? 'text' : type);
}

function columns(lines: readonly (readonly [string, string])[]): string {
  const width = Math.min(40, Math.max(...lines.map(([left]) => left.length)));
  return lines
    .map(([left, right]) =>
      left.length > width
        ? `  ${left}\n  ${' '.repeat(width)}  ${right}`
        : `  ${left.padEnd(width)}  ${right}`,
    )
    .join('\n');
}
