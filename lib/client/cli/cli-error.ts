import { fieldsOf } from '../fields.ts';

/** A command that cannot be carried out. The message says what to do next, and contains no key, link or passphrase. */
export class CliError extends Error {
  readonly exitCode: number;

  /** @param exitCode 1 for a failure, 2 for an invalid command line. */
  constructor(message: string, exitCode: 1 | 2 = 1, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

export const usageError = (message: string) => new CliError(message, 2);

/** The code of an error of Node.js, such as `ENOENT`. */
export function systemCode(error: unknown): string | undefined {
  const { code } = fieldsOf(error);
  return typeof code === 'string' ? code : undefined;
}
