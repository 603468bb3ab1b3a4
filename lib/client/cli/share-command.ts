import { ShareClient, type ShareProgress } from '../share/share-client.ts';
import { commonOptions, numberOption, parseCommand, passphraseOptions } from './arguments.ts';
import { usageError } from './cli-error.ts';
import type { Command } from './command.ts';
import { readContent } from './input.ts';
import type { Io } from './io.ts';
import { newPassphrase } from './passphrase.ts';
import { serviceAddress } from './service-address.ts';
import { printableJson, times, timeText } from './text.ts';

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
