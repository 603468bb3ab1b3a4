import { formatTime, plainText, unlinkedName } from '../../shared/html/text.ts';
import { productName } from '../../shared/html/theme.ts';
import { type Block, type Line, type MailContent, renderMail, webUrl } from '../../shared/mail/layout.ts';
import { utc } from '../../shared/runtime/time-zone.ts';

/** Shown for a fact that is empty. */
const unknown = 'Unknown';

interface NewDevice {
  /** "Chrome on Windows". Like all texts here it can be derived from a user agent, so it is not trusted. */
  deviceName: string;
  os: string;
  ipAddress: string;
  /** "City, Country", or 'Unknown'. */
  location: string;
  /** Name of the network, or 'Unknown'. */
  isp: string;
  trustedAtMs: number;
  /** The page with the user's devices. The mail links to it only if it is http(s). */
  devicesUrl: string;
}

/** The alert that a device was trusted: a description of the device, and what to do if it is not the user's. */
export function newDeviceEmail(device: NewDevice): MailContent {
  const name = unlinkedName(device.deviceName) || 'Unknown device';
  const location = factOrUnknown(device.location);
  const time = formatTime(device.trustedAtMs, utc);
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
          ['System', unlinkedName(device.os) || unknown],
          ['Time', time],
          ['IP address', factOrUnknown(device.ipAddress)],
          ['Location', location === unknown ? unknown : `${location} (approximately)`],
          ['Network', factOrUnknown(device.isp)],
        ],
      },
      ...(location === unknown ? [] : [locationNote]),
      { kind: 'heading', content: 'If this was you' },
      { kind: 'paragraph', content: 'There is nothing to do.' },
      { kind: 'heading', content: 'If this was not you' },
      ...recoverySteps(device.devicesUrl),
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

/** The license of the data, CC BY 4.0, requires a link to the source. */
const attribution: Line = [{ label: 'IP geolocation by DB-IP', url: 'https://db-ip.com' }];

/** The order matters: until the device is removed, its user can set a new master password. */
function recoverySteps(devicesUrl: string): Block[] {
  const url = webUrl(devicesUrl);
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

const factOrUnknown = (value: string): string => plainText(value, 100) || unknown;
