import { describe, expect, test } from 'vitest';
import { codeMail, newDeviceMail } from '../../../functions/devices/emails.ts';
import type { MailContent } from '../../../functions/shared/mail/layout.ts';

const device = {
  deviceName: 'Chrome on Windows',
  os: 'Windows 11',
  ipAddress: '203.0.113.7',
  location: 'Freiburg, Germany',
  isp: 'Example Telekom AG',
  trustedAtMs: Date.UTC(2026, 10, 21, 6, 45, 12),
};

/** What a reader of the HTML sees, as one line. */
function visible({ html }: MailContent): string {
  return html
    .replace(/<head>.*<\/head>|<div style="display:none.*?<\/div>|<[^>]+>/gs, ' ')
    .replace(/\s+/g, ' ')
    .replace(/ ([.,:])/g, '$1');
}

function bothParts(mail: MailContent): [string, string][] {
  return [
    ['text', mail.text.replace(/\s+/g, ' ')],
    ['html', visible(mail)],
  ];
}

describe('the mail with the code', () => {
  const mail = codeMail({ code: '048291', livesMinutes: 5 });

  test('has the code in the subject', () => {
    expect(mail.subject).toBe('048291 is your Vouchsafe code');
  });

  test('has the code in both parts exactly, once, on its own', () => {
    expect(mail.text.split('\n').filter((line) => line.includes('048291'))).toEqual(['048291']);
    const [, body = ''] = mail.html.split('</head>');
    expect(body.split('048291')).toHaveLength(2);
    expect(body).toContain('>048291<');
  });

  test.each(bothParts(mail))('says in the %s how long it lives and that it works once', (_, part) => {
    expect(part).toContain('It works once and expires in 5 minutes.');
    expect(part).toContain('only the newest works');
  });

  test.each(bothParts(mail))('says in the %s what to do when it was not asked for', (_, part) => {
    expect(part).toMatch(/may know your master password or your user ID/);
    expect(part).toMatch(/Nobody gets in without this code/);
    expect(part).toMatch(/Never pass the code on/);
    expect(part).toMatch(/never asks for it/);
  });

  test('counts one minute as one', () => {
    expect(codeMail({ code: '123456', livesMinutes: 1 }).text).toContain('expires in 1 minute.');
  });

  test('has no link: nobody learns to follow one', () => {
    expect(mail.html).not.toContain('href');
    expect(mail.text).not.toContain('://');
  });
});

describe('the alert about a new device', () => {
  const devicesUrl = 'https://vault.example/devices?from=mail&v=1';
  const mail = newDeviceMail({ ...device, devicesUrl });

  test('is named as the contract names it, with the device', () => {
    expect(mail.subject).toBe('New Device Login: Chrome on Windows');
  });

  test.each(bothParts(mail))('has every fact in the %s', (_, part) => {
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

  test.each(bothParts(mail))('says in the %s what to do, in order', (_, part) => {
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

  test('links to the device list when there is an address for it', () => {
    expect(mail.text).toContain(`Open the device list:\n${devicesUrl}\n`);
    expect(mail.html).toContain('href="https://vault.example/devices?from=mail&amp;v=1"');
  });

  test.each([undefined, '', 'javascript:alert(1)', 'vault.example/devices'])(
    'says where the device list is when its address is %j',
    (url) => {
      const plain = newDeviceMail({ ...device, devicesUrl: url });
      expect(plain.text).toContain('Remove the device in the device list of your Vouchsafe app.');
      expect(plain.html.match(/href="[^"]*"/g)).toEqual(['href="https://db-ip.com"']);
    },
  );

  test.each(bothParts(mail))('names the source of the location in the %s', (_, part) => {
    expect(part).toContain('IP geolocation by DB-IP');
    expect(part).toContain('The location is an estimate');
  });

  test.each(['Unknown', '', '\u200b'])('does neither when the location is %j', (location) => {
    const placeless = newDeviceMail({ ...device, location });
    expect(placeless.text).toContain('Location: Unknown\n');
    expect(placeless.text + placeless.html).not.toMatch(/DB-IP|db-ip|approximately|estimate/);
  });

  test('has a name for a device without one', () => {
    const nameless = newDeviceMail({ ...device, deviceName: '\r\n', os: '', isp: ' ' });
    expect(nameless.subject).toBe('New Device Login: Unknown device');
    expect(nameless.text).toContain('System: Unknown\n');
    expect(nameless.text).toContain('Network: Unknown\n');
  });
});

describe('hostile values', () => {
  const script = '<script>alert("x")</script>';
  const hostile = newDeviceMail({
    ...device,
    deviceName: `${script}\r\nBcc: all@b.example\u202E`,
    os: `${script}\u0000${'x'.repeat(10_000)}`,
    ipAddress: `${script}\u2028`,
    location: `${script}\u2066\n1. Call us`,
    isp: `'"><img src=x onerror=alert(1)>${'y'.repeat(10_000)}`,
  });

  test('stay one line in the subject, of at most 150 characters', () => {
    expect(hostile.subject).toMatch(/^New Device Login: <script>alert\("x"\)<\/script> Bcc: all@b\. exampl/);
    expect(hostile.subject).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    expect(hostile.subject.length).toBeLessThanOrEqual(150);
    expect(codeMail({ code: `1\r\n2${'3'.repeat(500)}`, livesMinutes: 5 }).subject).toMatch(/^1 23{146}…$/);
  });

  test('are text in the HTML, never markup', () => {
    expect(hostile.html).not.toMatch(/<script|<img/i);
    expect(hostile.html).toContain('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;');
    expect(hostile.html).toContain('&#39;&quot;&gt;&lt;img');
  });

  test('add no line to the text part', () => {
    const lines = newDeviceMail(device).text.split('\n').length;
    expect(hostile.text.split('\n')).toHaveLength(lines);
  });

  test('are no link for a mail client to find in the name of a device', () => {
    const { subject, text } = newDeviceMail({ ...device, deviceName: 'See https://evil.example/login' });
    expect(subject).toBe('New Device Login: See https: evil. example/login');
    expect(text).not.toMatch(/:\/\/evil|evil\.example/);
  });
});

test.each([
  ['code', codeMail({ code: '123456', livesMinutes: 5 })],
  ['alert', newDeviceMail({ ...device, devicesUrl: 'https://vault.example/devices' })],
  [
    'alert, everything too long',
    newDeviceMail({
      ...device,
      deviceName: '&'.repeat(1e5),
      os: '&'.repeat(1e5),
      location: '"'.repeat(1e5),
      isp: '<'.repeat(1e5),
    }),
  ],
])('the mail is small (%s): Gmail cuts mails at 102 KB', (_, { text, html }) => {
  expect(Buffer.byteLength(html)).toBeLessThan(20_000);
  expect(Buffer.byteLength(text)).toBeLessThan(4_000);
});

test.each([
  ['code', codeMail({ code: '123456', livesMinutes: 5 })],
  ['alert', newDeviceMail(device)],
])('the text part holds no HTML (%s)', (_, { text }) => {
  expect(text).not.toMatch(/[<>]|&[a-z]+;/);
});
