import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { maxSecretBytes } from '../share/plaintext-format.ts';
import { ShareClient, type ShareProgress } from '../share/share-client.ts';
import type { ShareContent } from '../share/share-content.ts';
import { commonOptions, numberOption, parseCommand, passphraseOptions, serviceAddress } from './arguments.ts';
import { CliError, systemCode, usageError } from './cli-error.ts';
import type { Command, Io } from './io.ts';
import { newPassphrase } from './passphrase.ts';
import { printableJson, printableLine, times, timeText, utf8Text } from './text.ts';

const maxViews = 100;
const maxHours = 168;
const minHours = 0.01;

export const shareCommand: Command = {
  help: `Encrypts files, or standard input, and prints a link that opens them.

Usage: vouchsafe-client share [file...] [options]

  --url <url>               address of the API; default: VOUCHSAFE_URL
  --once                    the share can be opened once (the default)
  --views <n>               the share can be opened n times, 1 to ${maxViews}
  --hours <n>               hours until it expires, up to ${maxHours}; default: 24
  --passphrase              asks for a passphrase, which the recipient needs too
  --passphrase-file <file>  reads the passphrase from a file
  --no-receipt              creates no receipt link
  --json                    prints the result, or the error, as JSON
  -h, --help                shows this help

Without a file, or with -, standard input is shared: as text when it is UTF-8, else as a file. The link goes
to standard output, everything else to standard error. The receipt link shows whether the share was opened,
and can burn it. Keep it to yourself. VOUCHSAFE_PASSPHRASE, when set, is the passphrase.
`,

  async run(args, io) {
    const { values, positionals } = parseCommand(args, {
      ...commonOptions,
      ...passphraseOptions,
      once: { type: 'boolean' },
      views: { type: 'string' },
      hours: { type: 'string' },
      'no-receipt': { type: 'boolean' },
    });
    if (values.once && values.views !== undefined) throw usageError('Use either --once or --views.');
    const views = numberOption('views', values.views, { min: 1, max: maxViews, whole: true }) ?? 1;
    const hours = numberOption('hours', values.hours, { min: minHours, max: maxHours, whole: false }) ?? 24;
    const client = new ShareClient({ apiUrl: serviceAddress(values.url, io.env) });
    const content = await readContent(positionals, io);
    const passphrase = await newPassphrase(values, io);
    const progress = progressLine(io, values.json);
    const options = Object.assign(
      {
        expiresInHours: hours,
        receipt: !values['no-receipt'],
        onProgress: progress.show,
      },
      // Of the two, the older field where it says the same.
      views === 1 ? { oneTime: true } : { maxViews: views },
      passphrase !== undefined && { passphrase },
    );
    const created = await client.create(content, options).finally(progress.remove);
    if (values.json) return io.out(printableJson(created));

    io.say(`It can be opened ${times(views)}, until ${timeText(created.expiresAt)}.\n`);
    if (passphrase !== undefined) io.say('Send the passphrase separately from the link.\n');
    if (created.receiptLink !== undefined) io.say(`Receipt link, for you alone: ${created.receiptLink}\n`);
    return io.out(`${created.link}\n`);
  },
};

/** Shows on a terminal what takes time, in one line that is removed at the end. */
function progressLine(
  io: Io,
  json: boolean | undefined,
): { show: (progress: ShareProgress) => void; remove: () => void } {
  if (!io.sayIsTerminal || json) return { show: () => {}, remove: () => {} };
  const emptyLine = '\r\x1b[K';
  return {
    show: ({ step }) => io.say(`${emptyLine}${step === 'encrypting' ? 'Encrypting' : 'Uploading'} ...`),
    remove: () => io.say(emptyLine),
  };
}

/**
 * Reads what is shared: the files, or standard input for none or `-`.
 *
 * @throws {CliError} when a file cannot be read, or all together are too large
 */
async function readContent(paths: readonly string[], io: Io): Promise<ShareContent> {
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
  for await (const chunk of stream) {
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
