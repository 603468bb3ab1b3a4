import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { maxSecretBytes } from '../share/plaintext-format.ts';
import type { ShareContent } from '../share/share-content.ts';
import { CliError, systemCode, usageError } from './cli-error.ts';
import type { Io } from './io.ts';
import { printableLine } from './text.ts';
import { utf8Text } from './utf8.ts';

/**
 * Reads what is shared: the files, or standard input for none or `-`.
 *
 * @throws {CliError} when a file cannot be read, or all together are too large
 */
export async function readContent(paths: readonly string[], io: Io): Promise<ShareContent> {
  if (paths.length === 0 || (paths.length === 1 && paths[0] === '-')) return readStdin(io);
  if (paths.includes('-')) throw usageError('Standard input (-) cannot be shared together with files.');
  const files = [];
  let left = maxSecretBytes;
  for (const path of paths) {
    const bytes = await readFileUpTo(path, left);
    left -= bytes.length;
    files.push({ name: basename(path), bytes });
  }
  return { files };
}

/** Standard input is a text when it is UTF-8, else a file with exactly its bytes. */
async function readStdin(io: Io): Promise<ShareContent> {
  if (io.stdin.isTTY) io.say('Type or paste the text. Press Enter and Ctrl-D to share it.\n');
  const bytes = await readUpTo(io.stdin, maxSecretBytes);
  if (bytes.length === 0) throw new CliError('There is nothing to share: standard input is empty.');
  const text = utf8Text(bytes);
  return text === undefined ? { files: [{ name: 'share.bin', bytes }] } : { text };
}

async function readFileUpTo(path: string, max: number): Promise<Uint8Array> {
  const name = `"${printableLine(path)}"`;
  try {
    const file = await open(path);
    try {
      if ((await file.stat()).isDirectory()) {
        throw new CliError(`${name} is a folder; put it into an archive first, such as tar -czf.`);
      }
      return await readUpTo(file.createReadStream({ autoClose: false }), max);
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof CliError) throw error;
    const code = systemCode(error);
    if (code === 'ENOENT') throw new CliError(`There is no file ${name}; nothing was shared.`);
    throw new CliError(`The file ${name} cannot be read (${code ?? 'unknown reason'}); nothing was shared.`);
  }
}

/** Never reads more than a share can hold: standard input may have no end. */
async function readUpTo(stream: Readable, max: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > max) {
      throw new CliError(
        `This is more than the ${maxSecretBytes} bytes that a share holds; nothing was shared. Compress it, or share it in parts.`,
      );
    }
  }
  return Buffer.concat(chunks);
}
