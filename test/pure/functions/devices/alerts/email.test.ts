import { newDeviceEmail } from '../../../../../functions/devices/alerts/email.ts';
import { bothParts } from '../../../../support/mail/parts.ts';

const device = {
  deviceName: 'Chrome on Windows',
  os: 'Windows 11',
  ipAddress: '203.0.113.7',
  location: 'Freiburg, Germany',
  isp: 'Example Telekom AG',
  trustedAtMs: Date.UTC(2026, 10, 21, 6, 45, 12),
  devicesUrl: '',
};

describe('the New Device Login mail', () => {
  const devicesUrl = 'https://vault.example/devices?from=mail&v=1';
  const mail = newDeviceEmail({ ...device, devicesUrl });

  test('names the alert and the device in the subject', () => {
    expect(mail.subject).toBe('New Device Login: Chrome on Windows');
  });

  test.each(bothParts(mail))('contains every fact in the %s', (_, part) => {
    for (const fact of [
      'Chrome on Windows',
      'Windows 11',
      '203.0.113.7',
      'Freiburg, Germany (approximately)',
      'Example Telekom AG',
      '21 November 2026, 06:45 UTC',
    ]) {
      expect(part).toContain(fact);
    }
  });

  test.each(bothParts(mail))('states in the %s what to do, in order', (_, part) => {
    const order = [
      'If this was you',
      'There is nothing to do.',
      'If this was not you',
      'Remove the device',
      'Change your master password',
      'Secure this mailbox',
    ].map((words) => part.indexOf(words));
    expect(order).not.toContain(-1);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
  });

  test('links to the device list when its URL is configured', () => {
    expect(mail.text).toContain(`Open the device list:\n${devicesUrl}\n`);
    expect(mail.html).toContain('href="https://vault.example/devices?from=mail&amp;v=1"');
  });

  test.each(['', 'javascript:alert(1)', 'vault.example/devices'])(
    'describes where the device list is when its URL is %j',
    (url) => {
      const plain = newDeviceEmail({ ...device, devicesUrl: url });
      expect(plain.text).toContain('Remove the device in the device list of your Vouchsafe app.');
      expect(plain.html.match(/href="[^"]*"/g)).toEqual(['href="https://db-ip.com"']);
    },
  );

  test.each(bothParts(mail))('attributes the location to its source in the %s', (_, part) => {
    expect(part).toContain('IP geolocation by DB-IP');
    expect(part).toContain('The location is an estimate');
  });

  test.each(['Unknown', '', '\u200b'])('attributes nothing when the location is %j', (location) => {
    const withoutLocation = newDeviceEmail({ ...device, location });
    expect(withoutLocation.text).toContain('Location: Unknown\n');
    expect(withoutLocation.text + withoutLocation.html).not.toMatch(/DB-IP|db-ip|approximately|estimate/);
  });

  test('names a device without a name', () => {
    const nameless = newDeviceEmail({ ...device, deviceName: '\r\n', os: '', isp: ' ' });
    expect(nameless.subject).toBe('New Device Login: Unknown device');
    expect(nameless.text).toContain('System: Unknown\n');
    expect(nameless.text).toContain('Network: Unknown\n');
  });
});

describe('hostile values in the New Device Login mail', () => {
  const script = '<script>alert("x")</script>';
  const hostile = newDeviceEmail({
    ...device,
    deviceName: `${script}\r\nBcc: all@b.example\u202E`,
    os: `${script}\u0000${'x'.repeat(10_000)}`,
    ipAddress: `${script}\u2028`,
    location: `${script}\u2066\n1. Call us`,
    isp: `'"><img src=x onerror=alert(1)>${'y'.repeat(10_000)}`,
  });

  test('stay on one line of at most 150 characters in the subject', () => {
    expect(hostile.subject).toMatch(/^New Device Login: <script>alert\("x"\)<\/script> Bcc: all @ b\. exam/);
    expect(hostile.subject).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    expect(hostile.subject.length).toBeLessThanOrEqual(150);
  });

  test('are escaped in the HTML', () => {
    expect(hostile.html).not.toMatch(/<script|<img/i);
    expect(hostile.html).toContain('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;');
    expect(hostile.html).toContain('&#39;&quot;&gt;&lt;img');
  });

  test('add no line to the text part', () => {
    const lines = newDeviceEmail(device).text.split('\n').length;
    expect(hostile.text.split('\n')).toHaveLength(lines);
  });

  test('cannot make mail clients link the name of a device', () => {
    const { subject, text } = newDeviceEmail({ ...device, deviceName: 'See https://evil.example/login' });
    expect(subject).toBe('New Device Login: See https: evil. example/login');
    expect(text).not.toMatch(/:\/\/evil|evil\.example/);
  });
});

test.each([
  ['an ordinary one', newDeviceEmail({ ...device, devicesUrl: 'https://vault.example/devices' })],
  [
    'one with oversized values',
    newDeviceEmail({
      ...device,
      deviceName: '&'.repeat(1e5),
      os: '&'.repeat(1e5),
      location: '"'.repeat(1e5),
      isp: '<'.repeat(1e5),
    }),
  ],
])(
  'the New Device Login mail is smaller than the 102 KB at which Gmail clips mails: %s',
  (_, { text, html }) => {
    expect(Buffer.byteLength(html)).toBeLessThan(20_000);
    expect(Buffer.byteLength(text)).toBeLessThan(4_000);
  },
);

test('the New Device Login mail contains no HTML in the text part', () => {
  expect(newDeviceEmail(device).text).not.toMatch(/[<>]|&[a-z]+;/);
});
