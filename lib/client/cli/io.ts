import type { Readable } from 'node:stream';

export interface Terminal {
  ask(question: string): Promise<string>;
  /** Does not show what is typed. */
  askSecret(question: string): Promise<string>;
}

export interface Io {
  env: Record<string, string | undefined>;
  stdin: Readable & { isTTY?: boolean };
  /** Writes to standard output. @throws Error when it cannot be written */
  out(content: string): Promise<void>;
  outIsTerminal: boolean;
  say(text: string): void;
  /** Whether progress can be shown. */
  sayIsTerminal: boolean;
  /**
   * Calls back at the next Ctrl-C, which then does not end the process. The one after it does.
   *
   * @returns the function that ends the wait.
   */
  onInterrupt(listener: () => void): () => void;
  /** Undefined where nobody can be asked. */
  terminal: Terminal | undefined;
}

export interface Command {
  help: string;
  /** @throws {CliError} and ShareError */
  run(args: readonly string[], io: Io): Promise<void>;
}
