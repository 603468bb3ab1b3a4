import {
  type Block,
  type Line,
  type MailContent,
  plainText,
  productName,
  readableTime,
  renderMail,
  webUrl,
} from '../shared/mail/layout.ts';

/** What stands in the facts of a device when the address leads nowhere. */
const unknown = 'Unknown';

/** The mail with the code that lets a quarantined device in. */
export function codeMail({ code, livesMinutes }: { code: string; livesMinutes: number }): MailContent {
  const lifetime = `${livesMinutes} ${livesMinutes === 1 ? 'minute' : 'minutes'}`;
  return renderMail({
    subject: `${code} is your ${productName} code`,
    preheader: `It works once and expires in ${lifetime}. Enter it only in ${productName}, and never pass it on.`,
    heading: 'Your code for the new device',
    blocks: [
      {
        kind: 'paragraph',
        content: `Enter this code in ${productName}, on the device that you want to trust:`,
      },
      { kind: 'code', code },
      {
        kind: 'paragraph',
        content: [
          'It works once and expires in ',
          { strong: lifetime },
          '. If you asked for more than one, only the newest works.',
        ],
      },
      { kind: 'heading', content: 'You did not ask for it?' },
      {
        kind: 'paragraph',
        content: `Somebody may have mistyped an address, or may know your master password or your user ID. Nobody gets in without this code, so you can leave it unused. If more codes come, change your master password.`,
      },
      {
        kind: 'paragraph',
        content: [
          { strong: 'Never pass the code on.' },
          ` ${productName} never asks for it, not by mail, by phone or in a chat. Anyone who asks for it is not us.`,
        ],
      },
    ],
    footer: [`You get this mail because a code for ${productName} was asked for with this address.`],
  });
}

interface NewDevice {
  /** "Chrome on Windows". Like all texts here it may come from a user agent: nothing in it is trusted. */
  deviceName: string;
  os: string;
  ipAddress: string;
  /** "City, Country", or 'Unknown'. */
  location: string;
  /** Name of the network, or 'Unknown'. */
  isp: string;
  trustedAtMs: number;
  /** Where the user sees his devices; left out of the mail unless it is http(s). */
  devicesUrl?: string | undefined;
}

/** The alert that a device was trusted: what it is, and what to do when it was not the user himself. */
export function newDeviceMail(device: NewDevice): MailContent {
  const name = nameOf(device.deviceName, 'Unknown device');
  const location = shown(device.location);
  const time = readableTime(device.trustedAtMs);
  return renderMail({
    subject: `New Device Login: ${name}`,
    preheader: `${name} was trusted on ${time}. If this was not you, remove the device now.`,
    heading: 'New device login',
    blocks: [
      {
        kind: 'paragraph',
        content: [
          { strong: name },
          ' was verified with an e-mailed code and can open your vault from now on.',
        ],
      },
      {
        kind: 'facts',
        rows: [
          ['Device', name],
          ['System', nameOf(device.os, unknown)],
          ['Time', time],
          ['IP address', shown(device.ipAddress)],
          ['Location', location === unknown ? unknown : `${location} (approximately)`],
          ['Network', shown(device.isp)],
        ],
      },
      ...(location === unknown ? [] : [locationNote]),
      { kind: 'heading', content: 'If this was you' },
      { kind: 'paragraph', content: 'There is nothing to do.' },
      { kind: 'heading', content: 'If this was not you' },
      ...whatToDo(device.devicesUrl),
    ],
    footer: [
      `${productName} sends this alert whenever a new device is trusted.`,
      ...(location === unknown ? [] : [attribution]),
    ],
  });
}

const locationNote: Block = {
  kind: 'note',
  content:
    'The location is an estimate from the IP address. It can be another town nearby, or that of a VPN.',
};

/** The data is under CC BY 4.0: whoever shows it names the source and links to it. */
const attribution: Line = [{ label: 'IP geolocation by DB-IP', url: 'https://db-ip.com' }];

/** In this order: until it is removed, whoever holds the device could set a new master password himself. */
function whatToDo(devicesUrl: string | undefined): Block[] {
  const url = devicesUrl === undefined ? undefined : webUrl(devicesUrl);
  const where = url === undefined ? `in the device list of your ${productName} app` : 'in your device list';
  return [
    {
      kind: 'steps',
      items: [
        [{ strong: 'Remove the device' }, ` ${where}. It is locked out the next time it syncs.`],
        [{ strong: 'Change your master password' }, ' on a device that you trust.'],
        [{ strong: 'Secure this mailbox' }, ': the code was sent here, so somebody else may be reading it.'],
      ],
    },
    ...(url === undefined ? [] : [{ kind: 'button' as const, label: 'Open the device list', url }]),
  ];
}

function shown(value: string): string {
  return plainText(value, 100) || unknown;
}

/** A name from a user agent. Mail clients make links of whatever looks like one: this must not. */
function nameOf(value: string, otherwise: string): string {
  const name = value.replaceAll('://', ': ').replace(/\.(?=\p{L})/gu, '. ');
  return plainText(name, 60) || otherwise;
}
