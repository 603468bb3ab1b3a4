import fc from 'fast-check';
import { describeDevice } from '../../../../../functions/devices/identification/device-name.ts';
import { corpusRows } from '../../../../support/corpus.ts';
import { processorMs } from '../../../../support/processor-time.ts';

const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)';
const blink = 'AppleWebKit/537.36 (KHTML, like Gecko)';

const unknown = { deviceName: 'Unknown device', os: 'Unknown' };

/** A version only where it is reliable. The model of a phone decides nothing, and no browser is guessed. */
test.each(corpusRows('user-agents.tsv'))(
  'a device is named by its browser and system: %s is %s with %s',
  (userAgent, deviceName, os) => {
    expect(describeDevice(userAgent)).toEqual({ deviceName, os });
  },
);

test('space around a user agent says nothing, and no text names no device', () => {
  expect(describeDevice('  curl/8.5.0 ').deviceName).toBe('curl');
  for (const userAgent of [' \r\n\t ', '', undefined]) expect(describeDevice(userAgent)).toEqual(unknown);
});

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
  ...'Mozilla/5.0 |(Macintosh; |(iPhone; CPU iPhone OS 18_7 |(Linux; Android 14; |Windows NT 10.0|(KHTML, like Gecko) '.split(
    '|',
  ),
  ...'Chrome/138.0 |Version/26.0 |Safari/604.1| FxiOS/145.0|Electron/36.4 |Opera|Ddg/1.|slackbot-|iOS 9'.split(
    '|',
  ),
  ...'/| |(|)|\t|-|.|_|1|a|\u202e|\u0000|🔒|\ud800|__proto__'.split('|'),
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

test.each(
  'a|/| |(|a/|a/ |a/ (|Macintosh|Macintosh FxiOS|1.|1_|slackbot-|linespider-|Ddg/1| Version/1|Gecko) a|Android |se 2|()|(()|compatible; a|[FBAN/'.split(
    '|',
  ),
)('a megabyte of %j is parsed as fast as any other text', (chunk) => {
  const userAgent = `Mozilla/5.0 ${chunk.repeat(Math.ceil(1_000_000 / chunk.length))}`;
  describeDevice(userAgent);
  const startMs = processorMs();
  describeDevice(userAgent);
  // Takes less than 1 ms. A quadratic pattern would take minutes for a megabyte.
  expect(processorMs() - startMs).toBeLessThan(250);
});
