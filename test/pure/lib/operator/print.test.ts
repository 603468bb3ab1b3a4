import { expect, test } from 'vitest';
import { printableJson, readable } from '../../../../lib/operator/print.ts';

test('a list is an aligned table with long cells cut, ids whole and times to the minute', () => {
  const id = `lnk_${'0'.repeat(70)}`;
  const reviews = [
    { linkId: 'lnk_1', title: 'Short', priority: true, submittedAt: '2026-01-02T03:04:05.678Z' },
    { linkId: id, title: 'x'.repeat(90), priority: false, submittedAt: '2026-01-02T03:04:05.678Z' },
  ];
  const [title, head, first, second] = readable({ reviews }, 200).split('\n');
  expect(title).toBe('Reviews');
  const column = head?.indexOf('Title') ?? -1;
  expect(head?.trim()).toMatch(/^Link ID +Title +Priority +Submitted at$/);
  expect(first?.slice(column)).toMatch(/^Short +yes +2026-01-02 03:04 UTC$/);
  expect(second).toContain(id);
  expect(second?.slice(column)).toMatch(/^x{59}… +no +2026-01-02 03:04 UTC$/);
});

test('a record is aligned lines with nested records below, and empty values are a dash or none', () => {
  const application = { _id: 'app_1', redirectUris: [], settings: { public: true }, keys: [] };
  expect(readable({ application, clientSecret: 'vcs_1' })).toBe(
    [
      ...['Client secret  vcs_1', '', 'Application', '  ID             app_1', '  Redirect URIs  none'],
      ...['  Keys           none', '', 'Settings', '  {', '    "public": true', '  }'],
    ].join('\n'),
  );
});

test.each(['\u001b[2Jgone', 'a\u009b31mred', 'a\rb', 'a\nb', 'turned \u202e round', 'lines \u2028 apart'])(
  'a title of a third party cannot control the terminal: %j',
  (title) => {
    const body = { reviews: [{ title }], link: { title } };
    const dangerous = /[^\P{C}\n]|[\u2028\u2029]/u;
    expect(readable(body)).not.toMatch(dangerous);
    expect(readable(body).split('\n')).toHaveLength(6);
    expect(printableJson(body)).not.toMatch(dangerous);
    expect(JSON.parse(printableJson(body))).toEqual(body);
  },
);

const review = {
  linkId: `lnk_${'0'.repeat(26)}`,
  applicationId: `app_${'0'.repeat(26)}`,
  userId: 'user-0b2f6c1e-6b1c-4a51-8a44-2f7d2b6f1c11',
  title: 'A title of many words that does not fit into one line of a terminal of eighty characters',
  url: `https://example.com/${'a'.repeat(150)}`,
  platform: 'YouTube',
  priority: true,
};
const widest = (text: string) => Math.max(...text.split('\n').map((line) => line.length));

test.each([80, 60, 120])(
  'a list of reviews fits a terminal of %i characters, with its texts whole',
  (width) => {
    const text = readable({ reviews: [review, review] }, width);
    expect(widest(text)).toBeLessThanOrEqual(width);
    expect(text.match(/^ {2}Link ID +lnk_0{26}$/gm)).toHaveLength(2);
    expect(text.replaceAll(/\s/g, '')).toContain(review.url);
    expect(text.replaceAll(/\s+/g, ' ')).toContain(review.title);
    expect(text).not.toMatch(/ $/m);
  },
);
