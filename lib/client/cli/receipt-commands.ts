import { parseReceiptLink, type ReceiptLink } from '../share/receipt-link.ts';
import { ShareClient, type ShareReceipt } from '../share/share-client.ts';
import { commonOptions, onlyArgument, parseCommand, serviceAddress } from './arguments.ts';
import { usageError } from './cli-error.ts';
import type { Command, Io } from './io.ts';
import { printableJson, times, timeText } from './text.ts';

export const receiptCommand: Command = {
  help: `Says whether a share was opened, when, and how often.

Usage: vouchsafe-client receipt <receipt link> [options]

  --url <url>   address of the API; default: that of the link, else VOUCHSAFE_URL
  --json        prints the receipt, or the error, as JSON
  -h, --help    shows this help

A receipt is kept for 30 days after its share expires.
`,

  async run(args, io) {
    const { values, positionals } = parseCommand(args, commonOptions);
    const { client, link } = target(positionals, values.url, io);
    await show(await client.receipt(link), io, values.json);
  },
};

export const burnCommand: Command = {
  help: `Burns a share, so that nobody can open it.

Usage: vouchsafe-client burn <receipt link> [options]

  -y, --yes     does not ask for confirmation
  --url <url>   address of the API; default: that of the link, else VOUCHSAFE_URL
  --json        prints the receipt, or the error, as JSON
  -h, --help    shows this help

The receipt shows what happened to the share. Burning does not undo an earlier view.
`,

  async run(args, io) {
    const { values, positionals } = parseCommand(args, {
      ...commonOptions,
      yes: { type: 'boolean', short: 'y' },
    });
    const { client, link } = target(positionals, values.url, io);
    if (!values.yes) await confirm(io);
    await show(await client.burn(link), io, values.json);
  },
};

function target(positionals: readonly string[], url: string | undefined, io: Io) {
  const given = onlyArgument(positionals, '<receipt link>');
  const link: ReceiptLink = parseReceiptLink(given);
  return { link, client: new ShareClient({ apiUrl: serviceAddress(url, io.env, given) }) };
}

async function confirm(io: Io): Promise<void> {
  if (io.terminal === undefined) throw usageError('There is no terminal to ask for confirmation; use --yes.');
  const answer = await io.terminal.ask('Burn the share? Nobody can open it after that. [y/N] ');
  if (!/^y(es)?$/i.test(answer.trim())) throw usageError('Nothing was burned.');
}

async function show(receipt: ShareReceipt, io: Io, json: boolean | undefined): Promise<void> {
  await io.out(json ? printableJson(receipt) : `${inWords(receipt)}\n`);
}

function inWords({ status, views, maxViews, ...at }: ShareReceipt): string {
  const opened = `opened ${views} of ${maxViews} ${maxViews === 1 ? 'time' : 'times'}`;
  const when =
    views === 1
      ? `at ${timeText(at.firstOpenedAt ?? '')}`
      : `first at ${timeText(at.firstOpenedAt ?? '')}, last at ${timeText(at.lastOpenedAt ?? '')}`;
  switch (status) {
    case 'stored':
      return `Stored: nobody has opened it. It can be opened ${times(maxViews)}, until ${timeText(at.expiresAt)}.`;
    case 'opened':
      return `O${opened.slice(1)}, ${when}. It expires at ${timeText(at.expiresAt)}.`;
    case 'burned':
      return `Burned at ${timeText(at.burnedAt ?? '')}, ${views === 0 ? 'before anyone opened it' : `after it was ${opened}`}.`;
    default:
      return `Expired at ${timeText(at.expiresAt)}: nobody opened it.`;
  }
}
