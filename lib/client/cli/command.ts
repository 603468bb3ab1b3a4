import type { Io } from './io.ts';

export interface Command {
  help: string;
  /** @throws {CliError} and ShareError */
  run(args: readonly string[], io: Io): Promise<void>;
}
