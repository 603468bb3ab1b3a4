import type { Writable } from 'node:stream';
import { CommandFailed } from './api.ts';

/**
 * Writes texts to a stream. A failure is one of the write, not of the process. A terminal gets no control characters: those of
 * a page in another format could move its cursor or reverse the text. A file or a pipe gets the text as it is.
 *
 * @throws CommandFailed `output_closed` when the reader has closed it, as `head` does; `output_failed` for another reason, such
 * as a full disk.
 */
export function outputTo(stream: Writable & { isTTY?: boolean }): (text: string) => Promise<void> {
  stream.on('error', () => {});
  return (text) =>
    new Promise((resolve, reject) => {
      stream.write(stream.isTTY === true ? harmless(text) : text, (error) =>
        error ? reject(outputFailed(error)) : resolve(),
      );
    });
}

/** A text in lines, of which each character is shown. */
const harmless = (text: string): string =>
  text.replaceAll(/\r(?!\n)|[^\P{C}\r\n\t]|[\u2028\u2029]/gu, '\uFFFD');

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
