import type { Io } from './io.ts';

/** A command of the program. */
export interface Command {
  help: string;
  /** @throws {CliError} and ShareError */
  run(args: readonly string[], io: Io): Promise<void>;
}
