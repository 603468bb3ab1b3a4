import { describe, expect, test } from 'vitest';
import { formatTime, plainText } from '../../../../../functions/shared/html/text.ts';

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
  expect(formatTime(Date.UTC(2026, 10, 21, 6, 45, 59))).toBe('21 November 2026, 06:45 UTC');
  expect(formatTime(Date.UTC(2027, 0, 1))).toBe('1 January 2027, 00:00 UTC');
});
