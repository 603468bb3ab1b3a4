import {
  repeated,
  requireBoundedCsv,
  requireBoundedXml,
  textOf,
} from '../../../../../functions/statements/import/file/bounds.ts';
import { UnreadableFile } from '../../../../../functions/statements/import/file/entry.ts';

/** The message with which a check refuses a text; undefined when it accepts it. */
const problem = (check: (text: string) => unknown) => (text: string) => {
  try {
    check(text);
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(UnreadableFile);
    return (error as Error).message;
  }
};
const xml = problem(requireBoundedXml);
const csv = problem(requireBoundedCsv);
const long = 'x'.repeat(100_000);
const deep = (depth: number, inner = '') => `${'<a>'.repeat(depth)}${inner}${'</a>'.repeat(depth)}`;
const malformed = 'is not well-formed XML';

describe('XML', () => {
  const tooMuch = 'must have at most 1000000 elements and attributes: export shorter periods';
  test.each([
    ['elements', '<a/>', 1],
    ['attributes, in both quotes', `<a b="/>" c='"'/>`, 3],
    ['comments', '<!-- <a> -->', 1],
    ['literal sections', '<![CDATA[<a>]]>', 1],
    ['characters of instructions', '<?abcdef?>', 10],
    ['elements with an end', '<a>b</a>', 1],
  ])('with %s is read up to 1,000,000 of them', (_, text, size) => {
    // Each character of an instruction counts.
    const instructions = (sum: number) => `<?${'x'.repeat(sum / 20 - 4)}?>`.repeat(20);
    const most = instructions(999_940) + text.repeat(60 / size);
    expect(xml(most)).toBeUndefined();
    expect(xml(`${most}<a/>`)).toBe(tooMuch);
  });

  test('is read to a depth of 40, and only what is open counts', () => {
    expect(xml(deep(40).repeat(2))).toBeUndefined();
    expect(xml(deep(40, '<!-- <a> --><![CDATA[</a><a>]]><?a <b> ?>'))).toBeUndefined();
    for (const inner of ['<b></b>', '<b/>'.replace('/', ' c="/"'), `<b c=">" d='/>'></b >`])
      expect(xml(deep(40, inner))).toBe('must nest elements at most 40 deep');
    expect(xml(deep(40, '<b/><b c="d"/>'))).toBeUndefined();
  });

  test.each([
    ['text', (text: string) => `<a>${text}</a>`, 'text'],
    ['text before the first tag', (text: string) => `${text}<a/>`, 'text'],
    ['text after the last tag', (text: string) => `<a/>${text}`, 'text'],
    ['text between', (text: string) => `<a>${'y'.repeat(9)}<b/>${text}<b/></a>`, 'text'],
    ['tag', (text: string) => `<${text.slice(2)}>`, 'tag'],
    ['tag', (text: string) => `<b/><${text.slice(2)}>`, 'tag'],
  ])('has a %s of at most 100,000 characters', (_, of, what) => {
    expect(xml(of(long))).toBeUndefined();
    expect(xml(of(`${long}x`))).toBe(`must have no ${what} of more than 100000 characters`);
  });

  test.each([
    '<',
    '<a',
    '</a',
    '<!--',
    '<!-->',
    '<!---',
    '<![CDATA[',
    '<?a',
    '<a b="',
    '<a b=\'"',
    '<a <b/>',
  ])('%s does not end, and is refused', (text) => expect(xml(text)).toBe(malformed));

  test.each(['<!DOCTYPE a>', '<!doctype a>', '<a/><!ELEMENT a>', '<![INCLUDE[ ]]>', '<!-'])(
    '%s is refused as a declaration',
    (text) => expect(xml(text)).toBe('must have no document type declaration'),
  );

  test.each(['', 'a', '<!-->-->', '<![CDATA[]]>', '<a b=""/>', '<a>\n</a>'])('%j is bounded', (text) =>
    expect(xml(text)).toBeUndefined(),
  );
});

describe('CSV', () => {
  test('has at most 1,000,000 cells and lines, whatever separates them', () => {
    const most = ';,\t\n\r'.repeat(200_000);
    expect(csv(most)).toBeUndefined();
    expect(csv(`${most};`)).toBe('must have at most 1000000 cells and lines: export shorter periods');
  });

  test.each(['\n', '\r', '\r\n'])('has lines of at most 100,000 characters, which end with %j', (end) => {
    expect(csv([long, long, long].join(end))).toBeUndefined();
    for (const lines of [[`${long}x`], ['a', `${long}x`, 'b'], ['a', `${long}x`]])
      expect(csv(lines.join(end))).toBe('must have no line of more than 100000 characters');
  });
});

test('the text of an entry is one line of at most 1,000,000 characters', () => {
  expect(textOf(['  a\r\n\tb ', '', ' c '])).toBe('a b c');
  expect(textOf(['x'.repeat(499_999), 'x'.repeat(500_000)])).toHaveLength(1_000_000);
  expect(() => textOf(['x'.repeat(500_000), 'x'.repeat(500_000)])).toThrow(
    'must have no entry with a text of more than 1000000 characters',
  );
});

test('a text that many entries repeat has at most 1,000 characters', () => {
  expect([repeated('a'), repeated(long).length]).toEqual(['a', 1_000]);
});
