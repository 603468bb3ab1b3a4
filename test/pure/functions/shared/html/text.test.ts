import { formatDate, formatTime, plainText } from '../../../../../functions/shared/html/text.ts';
import { utc } from '../../../../../functions/shared/runtime/time-zone.ts';

describe('external text', () => {
  test.each([
    ['line breaks become spaces', 'a\r\nBcc: b@c.example\n\n', 'a Bcc: b@c.example'],
    ['direction marks are removed', 'gpj\u202Eexe.\u2066x\u2069\u200f', 'gpjexe.x'],
    ['invisible characters are removed', 'a\u200bb\u00adc\ufeff', 'abc'],
    ['lone surrogates are replaced', 'a\ud800b', 'a\ufffdb'],
    ['joiners of emoji and scripts are preserved', '👩‍💻', '👩‍💻'],
    ['letters of all scripts are preserved', 'Zürich, 東京, القاهرة', 'Zürich, 東京, القاهرة'],
  ])('%s', (_, value, expected) => {
    expect(plainText(value)).toBe(expected);
  });

  test('is truncated with an ellipsis, never within a surrogate pair', () => {
    expect(plainText('abcdef', 6)).toBe('abcdef');
    expect(plainText('abcdefg', 6)).toBe('abcde…');
    expect(plainText('abcd😀xx', 6)).toBe('abcd…');
  });
});

test('a time is written for people, in UTC', () => {
  expect(formatTime(Date.UTC(2026, 10, 21, 6, 45, 59), utc)).toBe('21 November 2026, 06:45 UTC');
  expect(formatTime(Date.UTC(2027, 0, 1), utc)).toBe('1 January 2027, 00:00 UTC');
});

test.each([
  ['Europe/Berlin', Date.UTC(2026, 11, 31, 23, 30), '1 January 2027, 00:30 GMT+1'],
  ['Europe/Berlin', Date.UTC(2027, 5, 30, 22), '1 July 2027, 00:00 GMT+2'],
  ['America/New_York', Date.UTC(2027, 0, 1, 4, 59), '31 December 2026, 23:59 GMT-5'],
  ['Asia/Kathmandu', Date.UTC(2026, 10, 21, 6, 45), '21 November 2026, 12:30 GMT+5:45'],
])('a time in %s has its day and its offset: %i is %s', (timeZone, epochMs, expected) => {
  expect(formatTime(epochMs, { timeZone })).toBe(expected);
  expect(formatDate(epochMs, { timeZone })).toBe(expected.split(',')[0]);
});
