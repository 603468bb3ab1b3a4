import { text as readAll } from 'node:stream/consumers';
import { describeShareLink } from '../share/receipt-link.ts';
import { ShareClient } from '../share/share-client.ts';
import type { OpenedFile, OpenedShare } from '../share/share-content.ts';
import { ShareError } from '../share/share-error.ts';
import { commonOptions, onlyArgument, parseCommand, passphraseOptions, serviceAddress } from './arguments.ts';
import { CliError, systemCode } from './cli-error.ts';
import type { Command, Io } from './io.ts';
import { checkFolder, rescue, type WrittenFile, writeNewFile } from './output-folder.ts';
import { noTerminal, statedPassphrase } from './passphrase.ts';
import { printable, printableJson, printableLine, sizeText } from './text.ts';

export const openCommand: Command = {
  help: `Opens a share. Most shares can be opened only once.

Usage: vouchsafe-client open <link> [options]

  --output <folder>         where files are written; default: the current folder
  --url <url>               address of the API; default: that of the link, else VOUCHSAFE_URL
  --passphrase-file <file>  reads the passphrase from a file
  --json                    prints the result, or the error, as JSON
  -h, --help                shows this help

Text goes to standard output, unchanged unless that is a terminal. Files go into the folder. A file whose name
is taken gets another name: nothing is overwritten. A name that begins with a dot gets an underscore in front.
If the share has a passphrase, the program asks for it, or takes it from VOUCHSAFE_PASSPHRASE. Put the link in
quotes. With - as the link, the program reads it from standard input, so that other users of the machine do
not see it in the list of processes.
`,

  async run(args, io) {
    const { values, positionals } = parseCommand(args, {
      ...commonOptions,
      ...passphraseOptions,
      output: { type: 'string' },
    });
    const argument = onlyArgument(positionals, '<link>');
    const link = argument === '-' ? (await readAll(io.stdin)).trim() : argument;
    const described = describeShareLink(link);
    if (described.kind === 'receipt') {
      throw new CliError('This is a receipt link, which opens nothing; use the receipt command.', 2);
    }
    if (described.keyWasSent) {
      io.say('A program, such as a mail gateway, changed this link and has seen its key. Tell the sender.\n');
    }
    const client = new ShareClient({ apiUrl: serviceAddress(values.url, io.env, link) });
    const folder = values.output ?? '.';
    const stated = await statedPassphrase(values, io.env);
    await checkFolder(folder);
    const opened = described.needsPassphrase
      ? await openWithPassphrase(client, link, stated, io)
      : await uninterrupted(io, () => client.open(link));
    await uninterrupted(io, () =>
      opened.kind === 'text' ? putText(opened, io, values.json) : putFiles(opened, folder, io, values.json),
    );
  },
};

/** Once the request was sent, the share may be used up, and what is on its way would be lost: one Ctrl-C does not end it. */
async function uninterrupted<T>(io: Io, work: () => Promise<T>): Promise<T> {
  const release = io.onInterrupt(() =>
    io.say(
      'The share may be used up by now, so this waits for its content. Press Ctrl-C again to give up.\n',
    ),
  );
  try {
    return await work();
  } finally {
    release();
  }
}

/** Asks again after a wrong passphrase where someone can be asked: nothing is used up by it. */
async function openWithPassphrase(
  client: ShareClient,
  link: string,
  stated: string | undefined,
  io: Io,
): Promise<OpenedShare> {
  if (stated !== undefined) return uninterrupted(io, () => client.open(link, { passphrase: stated }));
  const terminal = io.terminal ?? noTerminal();
  for (;;) {
    const passphrase = await terminal.askSecret('Passphrase: ');
    if (passphrase === '') throw new CliError('No passphrase was given; nothing was opened.');
    try {
      return await uninterrupted(io, () => client.open(link, { passphrase }));
    } catch (error) {
      if (!(error instanceof ShareError && error.code === 'wrong_passphrase')) throw error;
      io.say(`${error.message}\n`);
    }
  }
}

async function putText(
  opened: OpenedShare & { kind: 'text' },
  io: Io,
  json: boolean | undefined,
): Promise<void> {
  const shown = printable(opened.text);
  try {
    if (json) return await io.out(printableJson(opened));
    if (!io.outIsTerminal) return await io.out(opened.text);
    await io.out(shown.endsWith('\n') ? shown : `${shown}\n`);
  } catch (error) {
    const { path } = await rescue('share.txt', opened.text);
    throw new CliError(
      `Standard output could not be written (${systemCode(error) ?? 'unknown reason'}); the text is in ${path}. Move it from there.`,
    );
  }
  if (/[^\P{Cc}\r\n\t]|\p{Bidi_Control}/u.test(opened.text)) {
    const { path } = await rescue('share.txt', opened.text);
    io.say(`Characters that could control the terminal are shown as \uFFFD; the exact text is in ${path}.\n`);
  }
}

/**
 * A name that begins with a dot would be the settings of a program, such as a shell, which runs what they say: `.bash_profile`
 * in a home folder. It gets an underscore.
 */
const visibleName = (name: string) => (name.startsWith('.') ? `_${name}` : name);

async function putFiles(
  opened: OpenedShare & { kind: 'files' },
  folder: string,
  io: Io,
  json: boolean | undefined,
): Promise<void> {
  const written: { file: OpenedFile; at: WrittenFile }[] = [];
  for (const file of opened.files)
    written.push({ file, at: await writeNewFile(folder, visibleName(file.name), file.bytes) });
  if (json) {
    const files = written.map(({ file: { name, type, bytes }, at: { path } }) => ({
      name,
      type,
      size: bytes.length,
      path,
    }));
    await io.out(printableJson({ kind: opened.kind, files, createdAt: opened.createdAt }));
  } else {
    for (const { file, at } of written) {
      io.say(`${printableLine(at.path)} (${sizeText(file.bytes.length)})\n`);
    }
  }
  const rescued = written.filter(({ at }) => at.rescued);
  if (rescued.length > 0) {
    const paths = rescued.map(({ at: { path } }) => printableLine(path)).join(', ');
    throw new CliError(
      `The folder could not be written any more; move these from the temporary folder: ${paths}`,
    );
  }
}
