import { ShareError } from '../share/share-error.ts';
import { CliError, systemCode, usageError } from './cli-error.ts';
import type { Command, Io } from './io.ts';
import { openCommand } from './open-command.ts';
import { burnCommand, receiptCommand } from './receipt-commands.ts';
import { shareCommand } from './share-command.ts';
import { printableJson, printableLine } from './text.ts';

const commands: Partial<Record<string, Command>> = {
  share: shareCommand,
  open: openCommand,
  receipt: receiptCommand,
  burn: burnCommand,
};

const help = `Shares text and files with end-to-end encryption. The key is in the link, and never reaches the service.

Usage: vouchsafe-client <command> [options]

  share [file...]         encrypts files, or standard input, and prints a link
  open <link>             opens a share and prints or saves its content
  receipt <receipt link>  says whether a share was opened
  burn <receipt link>     burns a share
  <command> --help        shows the options of a command
  --version               shows the version

Exit codes: 0 success, 1 failure, 2 invalid command line. With --json, an error is an object on standard error
with code and message.
`;

/** Carries out a command line. @returns the exit code: 0, 1 for a failure, 2 for an invalid command line. */
export async function runCommand(args: readonly string[], io: Io, version: string): Promise<number> {
  const name = args[0] ?? '';
  if (name === '--version' || name === '-v') return io.out(`${version}\n`).then(() => 0);
  if (name === '--help' || name === '-h') return io.out(help).then(() => 0);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined && name === '') {
    io.say(help);
    return 2;
  }
  const rest = args.slice(1);
  try {
    if (command === undefined) throw unknownCommand(name);
    if (rest.includes('--help') || rest.includes('-h')) await io.out(command.help);
    else await command.run(rest, io);
    return 0;
  } catch (error) {
    const { code, message, exitCode, retryAfterSeconds, auditId } = described(error);
    // JSON leaves out what is undefined.
    if (rest.includes('--json')) io.say(printableJson({ code, message, retryAfterSeconds, auditId }));
    else
      io.say(
        `vouchsafe-client: ${message}${auditId === undefined ? '' : ` Audit id: ${printableLine(auditId)}`}\n`,
      );
    return exitCode;
  }
}

/** It does not repeat what was typed, which may be a link. */
function unknownCommand(name: string): CliError {
  const likely = nearest(name, Object.keys(commands));
  const hint = likely === undefined ? 'Use --help for a list.' : `Did you mean ${likely}?`;
  return usageError(`There is no such command. ${hint}`);
}

type Failure = { code: string; message: string; exitCode: number } & Partial<
  Pick<ShareError, 'retryAfterSeconds' | 'auditId'>
>;

function described(error: unknown): Failure {
  if (error instanceof CliError) {
    const { message, exitCode } = error;
    return { code: exitCode === 2 ? 'invalid_command' : 'failed', message, exitCode };
  }
  if (!(error instanceof ShareError)) {
    return {
      code: 'failed',
      message: `The command failed (${systemCode(error) ?? String(error)}).`,
      exitCode: 1,
    };
  }
  const { code, retryAfterSeconds, auditId } = error;
  return {
    code,
    message: messageOf(error),
    exitCode: code === 'invalid_link' ? 2 : 1,
    retryAfterSeconds,
    auditId,
  };
}

/** Errors of a connection that was never made: no request has left this machine. */
const unconnected = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'UND_ERR_CONNECT_TIMEOUT',
]);

function messageOf(error: ShareError): string {
  if (error.code === 'invalid_link') return `${error.message} Copy the whole link, and put it in quotes.`;
  if (error.code !== 'unreachable') return error.message;
  const { cause } = error;
  if (cause instanceof SyntaxError) {
    return 'The response did not come from the service; name the address of its API with --url.';
  }
  const reason = systemCode(cause instanceof Error ? cause.cause : undefined);
  if (reason === undefined || !unconnected.has(reason)) return error.message;
  return `The service cannot be reached (${reason}), and nothing was sent; check the network and the address.`;
}

// The package is built from this folder alone: functions/shared/lambda/nearest.ts does the same for the API and its operators.

/** The candidate that a mistyped word most likely stands for. Undefined when none is similar. */
function nearest(typed: string, candidates: readonly string[]): string | undefined {
  const [best] = candidates
    .map((name) => ({ name, edits: editDistance(typed, name) }))
    .filter(({ name, edits }) => edits <= Math.max(typed.length, name.length) / 2)
    .sort((a, b) => a.edits - b.edits);
  return best?.name;
}

/** The Levenshtein distance: how many characters are inserted, removed or replaced. */
function editDistance(from: string, to: string): number {
  const start = Array.from({ length: to.length + 1 }, (_, i) => i);
  const last = [...from].reduce((row, letter, i) => {
    const next = [i + 1];
    for (let j = 0; j < to.length; j += 1) {
      const replaced = (row[j] ?? 0) + (letter === to[j] ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    return next;
  }, start);
  return last.at(-1) ?? 0;
}
