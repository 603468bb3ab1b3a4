import type { Writable } from 'node:stream';
import { CommandFailed } from './api.ts';

/**
 * Writes texts to a stream. A failure is one of the write, not of the process.
 *
 * @throws CommandFailed `output_closed` when the reader has closed it, as `head` does; `output_failed` for another reason, such
 * as a full disk.
 */
export function outputTo(stream: Writable): (text: string) => Promise<void> {
  stream.on('error', () => {});
  return (text) =>
    new Promise((resolve, reject) => {
      stream.write(text, (error) => (error ? reject(outputFailed(error)) : resolve()));
    });
}

function outputFailed(error: Error): CommandFailed {
  const reason = 'code' in error ? error.code : error.name;
  const next = 'The command may have been executed. Read the record before you repeat it.';
  if (reason === 'EPIPE')
    return new CommandFailed('The output was closed before its end.', { code: 'output_closed', next });
  return new CommandFailed(`The output cannot be written (${reason}).\n${next}`, {
    code: 'output_failed',
    next,
  });
}
