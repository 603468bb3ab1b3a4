import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeDevice } from '../../../../../functions/devices/identification/device-name.ts';
import { corpusRows } from '../../../../support/corpus.ts';
import { processorMs } from '../../../../support/processor-time.ts';

const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)';
const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';
const linux = 'Mozilla/5.0 (X11; Linux x86_64)';
const android = 'Mozilla/5.0 (Linux; Android 10; K)';
const blink = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const webkit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const iphone = (os: string) => `Mozilla/5.0 (iPhone; CPU iPhone OS ${os} like Mac OS X) ${webkit}`;

describe('a device is named by its browser and system, with a version only where it is reliable', () => {
  test.each([
    // Windows
    ['Chrome on Windows', 'Windows', `${windows} ${blink} Chrome/138.0.0.0 Safari/537.36`],
    ['Edge on Windows', 'Windows', `${windows} ${blink} Chrome/138.0.0.0 Safari/537.36 Edg/138.0.0.0`],
    ['Opera on Windows', 'Windows', `${windows} ${blink} Chrome/137.0.0.0 Safari/537.36 OPR/121.0.0.0`],
    [
      'Vivaldi on Windows',
      'Windows',
      `${windows} ${blink} Chrome/138.0.0.0 Safari/537.36 Vivaldi/7.5.3735.41`,
    ],
    [
      'Yandex Browser on Windows',
      'Windows',
      `${windows} ${blink} Chrome/136.0.0.0 YaBrowser/25.6.0.0 Safari/537.36`,
    ],
    [
      'Firefox on Windows',
      'Windows',
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0',
    ],
    [
      'Internet Explorer on Windows',
      'Windows',
      'Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko',
    ],
    // macOS. Brave sends the user agent of Chrome.
    ['Chrome on macOS', 'macOS', `${mac} ${blink} Chrome/138.0.0.0 Safari/537.36`],
    ['Safari on macOS', 'macOS', `${mac} ${webkit} Version/26.0 Safari/605.1.15`],
    [
      'Firefox on macOS',
      'macOS',
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0',
    ],
    ['DuckDuckGo on macOS', 'macOS', `${mac} ${webkit} Version/18.5 Safari/605.1.15 Ddg/18.5`],
    // Linux and ChromeOS
    ['Chrome on Linux', 'Linux', `${linux} ${blink} Chrome/138.0.0.0 Safari/537.36`],
    [
      'Firefox on Linux',
      'Linux',
      'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    ],
    [
      'Chrome on ChromeOS',
      'ChromeOS',
      `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${blink} Chrome/138.0.0.0 Safari/537.36`,
    ],
    ['Unknown browser on Linux', 'Linux', `${linux} ${webkit} Version/18.5 Safari/605.1.15`],
    // Android
    ['Chrome on Android', 'Android', `${android} ${blink} Chrome/138.0.0.0 Mobile Safari/537.36`],
    [
      'Samsung Internet on Android',
      'Android',
      `${android} ${blink} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
    ],
    ['Opera on Android', 'Android', `${android} ${blink} Chrome/137.0.0.0 Mobile Safari/537.36 OPR/90.0.0.0`],
    [
      'Edge on Android',
      'Android',
      `${android} ${blink} Chrome/138.0.0.0 Mobile Safari/537.36 EdgA/138.0.0.0`,
    ],
    [
      'Firefox on Android',
      'Android 14',
      'Mozilla/5.0 (Android 14; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0',
    ],
    [
      'Unknown browser on Android',
      'Android 14',
      'Dalvik/2.1.0 (Linux; U; Android 14; Pixel 8 Build/UD1A.230803.041)',
    ],
    ['Unknown browser on Android', 'Android 15', 'Mozilla/5.0 (Linux; Android 15; Pixel 9) NewBrowser/1.0'],
    // iOS: real versions before 26, then that of Safari; none where 18.6 and 18.7 are ambiguous
    ['Safari on iPhone', 'iOS 17.5', `${iphone('17_5_1')} Version/17.5 Mobile/15E148 Safari/604.1`],
    ['Safari on iPhone', 'iOS 18.6', `${iphone('18_6')} Version/18.6 Mobile/15E148 Safari/604.1`],
    ['Safari on iPhone', 'iOS 26', `${iphone('18_6')} Version/26.0 Mobile/15E148 Safari/604.1`],
    ['Safari on iPhone', 'iOS 26', `${iphone('18_7')} Version/26.2 Mobile/15E148 Safari/604.1`],
    ['Chrome on iPhone', 'iOS 17.7', `${iphone('17_7')} CriOS/138.0.7204.53 Mobile/15E148 Safari/604.1`],
    [
      'Edge on iPhone',
      'iOS 26',
      `${iphone('18_7')} Version/26.0 EdgiOS/138.0.3351.65 Mobile/15E148 Safari/604.1`,
    ],
    ['Firefox on iPhone', 'iOS', `${iphone('18_7')} FxiOS/145.0 Mobile/15E148 Safari/605.1.15`],
    ['Unknown browser on iPhone', 'iOS 17.5', `${iphone('17_5')} Mobile/15E148`],
    [
      'Safari on iPad',
      'iPadOS 16.6',
      `Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) ${webkit} Version/16.6 Mobile/15E148 Safari/604.1`,
    ],
    ['Chrome on iOS', 'iOS', `${mac} ${webkit} CriOS/138 Version/11.1.1 Safari/605.1.15`],
    ['Firefox on iOS', 'iOS', `${mac} ${webkit} FxiOS/145.0 Safari/605.1.15`],
    // Apps
    [
      'Bitwarden on macOS',
      'macOS',
      `${mac} ${blink} Bitwarden/2025.6.1 Chrome/136.0.7103.149 Electron/36.4.0 Safari/537.36`,
    ],
    [
      'Electron on Windows',
      'Windows',
      `${windows} ${blink} Chrome/136.0.7103.149 Electron/36.4.0 Safari/537.36`,
    ],
    [
      'Bitwarden_Mobile on Android',
      'Android 14',
      'Bitwarden_Mobile/2025.6.0 (Android 14; SDK 34; Model Pixel 8)',
    ],
    ['KeeperApp on iPhone', 'iOS 17.5', 'KeeperApp/16.1 (iPhone; iOS 17.5.1; Scale/3.00)'],
    [
      '1Password on iOS',
      'iOS 17.5',
      '1Password/8.10.34 (com.example; build:81034; iOS 17.5.1) Alamofire/5.9',
    ],
    ['MyVault', 'Unknown', 'MyVault/12 CFNetwork/1494.0.7 Darwin/23.4.0'],
    // Programs and bots
    ['curl', 'Unknown', 'curl/8.5.0'],
    ['curl', 'Unknown', 'curl 8.5'],
    ['curl', 'Unknown', '  curl/8.5.0 '],
    ['okhttp', 'Unknown', 'okhttp/4.12.0'],
    ['python-requests', 'Unknown', 'python-requests/2.32.3'],
    ['Go-http-client', 'Unknown', 'Go-http-client/2.0'],
    ['Googlebot', 'Unknown', 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'],
    [
      'Bingbot',
      'Unknown',
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm) Chrome/116.0.1938.76 Safari/537.36',
    ],
    // Little or nothing
    ['Unknown browser on Linux', 'Linux', linux],
    ['Unknown browser on Windows', 'Windows', windows],
    ['Unknown browser on Windows', 'Windows', 'something (Windows NT 10.0) else'],
    ['Unknown device', 'Unknown', 'Mozilla/5.0'],
    ['Unknown device', 'Unknown', 'x'],
    ['Unknown device', 'Unknown', ' \r\n\t '],
    ['Unknown device', 'Unknown', ''],
    ['Unknown device', 'Unknown', undefined],
  ])('%s (%s): %s', (deviceName, os, userAgent) => {
    expect(describeDevice(userAgent)).toEqual({ deviceName, os });
  });
});

test.each(corpusRows('user-agents.tsv'))(
  'the model of a phone decides nothing: %s is %s with %s',
  (userAgent, deviceName, os) => {
    expect(describeDevice(userAgent)).toEqual({ deviceName, os });
  },
);

const unknown = { deviceName: 'Unknown device', os: 'Unknown' };

describe('a name cannot carry a message', () => {
  test.each([
    ['a link', 'evil.example/1.0'],
    ['a link with its scheme', 'https://evil.example/1.0'],
    ['a phone number', '1-800-555-0199/1.0'],
    ['an address', 'me@evil.example/1.0'],
    ['a sentence', 'Your account is locked, call us/1.0'],
    ['a long word', `${'A'.repeat(25)}/1.0`],
    ['markup', '<b>x</b>/1.0'],
    ['right-to-left text', '\u202eexe.curl/1.0'],
    ['emoji', '🔒🔑/1.0'],
    ['a JavaScript property', '__proto__/1.0'],
    ['a sentence where browsers have theirs', 'Mozilla/5.0 call us/now (at once)'],
  ])('%s is not displayed', (_, userAgent) => {
    expect(describeDevice(userAgent)).toEqual(unknown);
  });

  test('a sentence in place of an Electron app is not displayed', () => {
    const userAgent = `${windows} ${blink} visit evil.example/1.0 Chrome/136.0 Electron/36.4.0 Safari/537.36`;
    expect(describeDevice(userAgent).deviceName).toBe('Electron on Windows');
  });

  test.each(['constructor', 'toString', 'hasOwnProperty', 'valueOf'])('%s is an ordinary name', (word) => {
    expect(describeDevice(`${word}/1`)).toEqual({ deviceName: word, os: 'Unknown' });
    expect(describeDevice(`Mozilla/5.0 ${word}/1`)).toEqual(unknown);
  });
});

/** Fragments of real user agents, and texts that are difficult for regular expressions. */
const pieces = fc.constantFrom(
  ...[
    'Mozilla/5.0 ',
    '(Macintosh; ',
    '(iPhone; CPU iPhone OS 18_7 ',
    '(Linux; Android 14; ',
    'Windows NT 10.0',
    '(KHTML, like Gecko) ',
  ],
  ...[
    'Chrome/138.0 ',
    'Version/26.0 ',
    'Safari/604.1',
    ' FxiOS/145.0',
    'Electron/36.4 ',
    'Opera',
    'Ddg/1.',
    'slackbot-',
    'iOS 9',
  ],
  ...['/', ' ', '(', ')', '\t', '-', '.', '_', '1', 'a', '\u202e', '\u0000', '🔒', '\ud800', '__proto__'],
);
const anyUserAgent = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.array(pieces, { maxLength: 60 }).map((parts) => parts.join('')),
);

test('any text yields names of 1 to 60 ASCII characters', () => {
  const plain = /^[A-Za-z0-9][A-Za-z0-9 ._-]{0,59}$/;
  fc.assert(
    fc.property(anyUserAgent, (userAgent) => {
      const { deviceName, os } = describeDevice(userAgent);
      expect(deviceName).toMatch(plain);
      expect(os).toMatch(plain);
    }),
    { numRuns: 300 },
  );
});

test('only the first 1,024 characters are parsed', () => {
  const chrome = 'Chrome/138.0.0.0 Safari/537.36';
  const filled = windows.padEnd(1024 - chrome.length) + chrome;
  expect(describeDevice(`${filled}${'x'.repeat(100_000)} Edg/138.0`).deviceName).toBe('Chrome on Windows');
  expect(describeDevice(windows.padEnd(1024) + chrome).deviceName).toBe('Unknown browser on Windows');
});

test.each([
  'a',
  '/',
  ' ',
  '(',
  'a/',
  'a/ ',
  'a/ (',
  'Macintosh',
  'Macintosh FxiOS',
  '1.',
  '1_',
  'slackbot-',
  'linespider-',
  'Ddg/1',
  ' Version/1',
  'Gecko) a',
  'Android ',
  'se 2',
  '()',
  '(()',
  'compatible; a',
  '[FBAN/',
])('a megabyte of %j is parsed as fast as any other text', (chunk) => {
  const userAgent = `Mozilla/5.0 ${chunk.repeat(Math.ceil(1_000_000 / chunk.length))}`;
  describeDevice(userAgent);
  const startMs = processorMs();
  describeDevice(userAgent);
  // Takes less than 1 ms. A quadratic pattern would take minutes for a megabyte.
  expect(processorMs() - startMs).toBeLessThan(250);
});
