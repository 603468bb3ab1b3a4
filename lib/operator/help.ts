import { optionName } from './arguments.ts';
import { type Option, segmentsOf, type Verb } from './verbs.ts';

const program = 'npm run --silent operator --';

/** What help shows of a verb, whether it is a request or not. */
export type Described = Pick<Verb, 'name' | 'summary' | 'options' | 'asks'> & {
  path?: string;
  notes?: string;
};

const common: [string, string][] = [
  ['--json', 'prints what the API answered'],
  ['--url <url>', 'where the API is; VOUCHSAFE_URL by default, else http://localhost:3000'],
  ['-h, --help', 'shows this'],
];

/** All verbs, and what they need from the environment. */
export function generalHelp(verbs: readonly Described[]): string {
  return `Runs Vouchsafe: applications, keys, plans, users, reviews.

Usage: ${program} <verb> [arguments] [options]

${columns(verbs.map((verb) => [usage(verb), verb.summary]))}

${columns(common)}

The operator key is read from VOUCHSAFE_OPERATOR_KEY, and never from an option: what stands in a command is
kept in the shell's history, and every user of the machine sees it in the list of processes.
  The local stack shows one:     curl http://localhost:3000/_local/demo    (operatorKey)
  A deployed stack gets one by:  ${program} bootstrap --table <table>

Ends with 0 when it was done, 1 when it was not, 2 when the command was wrong.
`;
}

/** One verb with its arguments and options. */
export function verbHelp(verb: Described): string {
  const options = Object.entries(verb.options ?? {}).map(([name, one]): [string, string] => [
    one.type === 'flag' ? optionName(name, one) : `--${name} <${placeholder(one)}>`,
    `${one.help}${one.required ? ' (required)' : ''}`,
  ]);
  const asks: [string, string][] = verb.asks === undefined ? [] : [['-y, --yes', 'does not ask first']];
  return `${verb.summary}

Usage: ${program} ${usage(verb)}${options.length > 0 ? ' [options]' : ''}

${columns([...options, ...asks, ...common])}
${verb.notes === undefined ? '' : `\n${verb.notes}\n`}`;
}

function usage({ name, path = '' }: Described): string {
  return [name, ...segmentsOf(path).map((one) => `<${one}>`)].join(' ');
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
