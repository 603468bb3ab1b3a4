/**
 * Completion for bash and zsh. The script asks the program for words, so that it is never out of date. Packages for this are no smaller:
 * omelette and tabtab write into files of the shell, and @bomb.sh/tab has no release 1.
 */
import { join } from 'node:path';
import { commonOptions, spellings, UsageError } from '../arguments.ts';
import type { Verb } from '../verb.ts';

export const completion: Verb = {
  name: 'completion',
  summary:
    'Prints a script that completes verbs and options: source <(npm run -s operator -- completion bash)',
  positionals: [{ name: 'bash|zsh', field: 'shell' }],
  notes: 'The script defines the command operator where the shell has none of this name.',
  run: async ({ fields: { shell } }) => {
    const script = scripts.get(String(shell));
    if (script === undefined) throw new UsageError('The shell is bash or zsh.');
    return { text: `${definition}${script}` };
  },
};

const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
const program = [process.execPath, join(import.meta.dirname, '../../../bin/operator.ts')]
  .map(quoted)
  .join(' ');
const definition = `command -v operator > /dev/null || operator() { ${program} "$@"; }\n`;

const scripts: ReadonlyMap<string, string> = new Map([
  [
    'bash',
    `_operator() {
  local IFS=$'\\n'
  COMPREPLY=($(operator completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2> /dev/null))
}
complete -o default -F _operator operator
`,
  ],
  [
    'zsh',
    `_operator() {
  local -a found
  found=(\${(f)"$(operator completion words -- "\${(@)words[2,CURRENT]}" 2> /dev/null)"})
  compadd -a found
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
compdef _operator operator
`,
  ],
]);

/**
 * The words that the last one of a command line can become, one a line.
 *
 * @param typed the words after the name of the program; the last one is empty at the beginning of a word.
 */
export function completions(verbs: readonly Verb[], typed: readonly string[]): string {
  const partial = typed.at(-1) ?? '';
  const before = typed.slice(0, -1);
  const found = candidates(verbs, before, partial).filter((word) => word.startsWith(partial));
  return [...new Set(found)].map((word) => `${word}\n`).join('');
}

function candidates(verbs: readonly Verb[], before: readonly string[], partial: string): readonly string[] {
  const typed = before.map((word) => `${word} `).join('');
  const verb = verbs.find(({ name }) => typed.startsWith(`${name} `));
  if (verb === undefined) {
    const begun = verbs.filter(({ name }) => name.startsWith(typed));
    return begun.map(({ name }) => name.slice(typed.length).split(' ', 1).join());
  }
  const { options = {}, asks } = verb;
  const last = options[before.at(-1)?.replace(/^--/, '') ?? ''];
  if (last?.oneOf !== undefined) return last.oneOf;
  const common = Object.keys(commonOptions).filter((name) => name !== 'yes' || asks === true);
  const own = Object.entries(options).flatMap(([name, one]) => spellings(name, one));
  return partial.startsWith('-') ? [...own, ...common.map((name) => `--${name}`)] : [];
}
