import { readFile } from 'node:fs/promises';
import type { parseCommand, passphraseOptions } from './arguments.ts';
import { systemCode, usageError } from './cli-error.ts';
import type { Io } from './io.ts';
import { utf8Text } from './text.ts';

type PassphraseOptions = ReturnType<typeof parseCommand<typeof passphraseOptions>>['values'];

/**
 * The passphrase that a program states: the content of `--passphrase-file` without its line end, else VOUCHSAFE_PASSPHRASE.
 * There is no option for the passphrase itself, because every user of the machine can list the arguments of processes.
 *
 * @throws {CliError}
 */
export async function statedPassphrase(
  options: PassphraseOptions,
  env: Io['env'],
): Promise<string | undefined> {
  const file = options['passphrase-file'];
  if (file === undefined) return env.VOUCHSAFE_PASSPHRASE || undefined;
  const bytes = await readFile(file).catch((error: unknown) => {
    throw usageError(
      `The file of --passphrase-file cannot be read (${systemCode(error) ?? 'unknown reason'}).`,
    );
  });
  const text = utf8Text(bytes);
  if (text === undefined) throw usageError('The file of --passphrase-file is not UTF-8; save it as UTF-8.');
  const passphrase = text.replace(/\r?\n$/, '');
  if (passphrase === '') throw usageError('The file of --passphrase-file is empty.');
  return passphrase;
}

/**
 * The passphrase of a new share; undefined for a share without one. It is asked for twice: nobody could open a share with
 * a mistyped passphrase.
 *
 * @throws {CliError}
 */
export async function newPassphrase(options: PassphraseOptions, io: Io): Promise<string | undefined> {
  const stated = await statedPassphrase(options, io.env);
  if (stated !== undefined || !options.passphrase) return stated;
  const terminal = io.terminal ?? noTerminal();
  for (;;) {
    const first = await terminal.askSecret('Passphrase: ');
    if (first === '') throw usageError('The passphrase is empty; nothing was shared.');
    if (first === (await terminal.askSecret('Repeat the passphrase: '))) return first;
    io.say('The passphrases differ. Try again.\n');
  }
}

/** @throws {CliError} */
export function noTerminal(): never {
  throw usageError(
    'There is no terminal to ask for the passphrase; use --passphrase-file or VOUCHSAFE_PASSPHRASE.',
  );
}
