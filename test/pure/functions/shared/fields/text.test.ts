import { lineField, linesField, notBlank } from '../../../../../functions/shared/fields/text.ts';

const line = lineField(20);
const lines = linesField(20);
const accepts = (field: typeof line, text: string) => field.safeParse(text).success;
const messages = (field: typeof line, text: string) =>
  field.safeParse(text).error?.issues.map(({ message }) => message);

const controls = ['\u0000', '\u0001', '\u0007', '\u001b[2J', '\u007f', '\u0080', '\u0085', '\u009b31m'];
const overrides = ['\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2067', '\u2068', '\u2069'];
const separators = ['\u2028', '\u2029'];

describe('text on one line and on several lines', () => {
  test.each([...controls, ...overrides, ...separators])('refuses %j', (text) => {
    for (const place of [`a${text}b`, text, `${text}b`, `a${text}`]) {
      expect(accepts(line, place)).toBe(false);
      expect(accepts(lines, place)).toBe(false);
    }
  });

  test.each(['Zürich', '東京', 'القاهرة\u200f!', '👩‍💻', 'نمی\u200cخواهم', '"\\<&>', ' a '])(
    'accepts %j',
    (text) => {
      expect([accepts(line, text), accepts(lines, text)]).toEqual([true, true]);
    },
  );

  test.each(['a\nb', 'a\r\nb', 'a\tb', '\n'])('accepts %j on several lines only', (text) => {
    expect([accepts(line, text), accepts(lines, text)]).toEqual([false, true]);
  });

  test.each(['a\rb', 'a\n\rb', 'a\vb', 'a\fb'])('refuses other line ends: %j', (text) => {
    expect([accepts(line, text), accepts(lines, text)]).toEqual([false, false]);
  });
});

test('says what is wrong, without the text', () => {
  expect(messages(line, 'a\u0001')).toEqual([
    'must be one line without control characters and direction overrides',
  ]);
  expect(messages(lines, 'a\u0001')).toEqual([
    'must have no control characters except tabs and line ends, and no direction overrides',
  ]);
  expect(messages(line.check(notBlank), '   ')).toEqual(['must not be blank']);
});
