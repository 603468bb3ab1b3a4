import { expect, test } from 'vitest';
import { printableJson, readable } from '../../../lib/operator/print.ts';

test('a list is an aligned table with long cells cut, ids whole and times to the minute', () => {
  const id = `lnk_${'0'.repeat(70)}`;
  const reviews = [
    { linkId: 'lnk_1', title: 'Short', priority: true, submittedAt: '2026-01-02T03:04:05.678Z' },
    { linkId: id, title: 'x'.repeat(90), priority: false, submittedAt: '2026-01-02T03:04:05.678Z' },
  ];
  const [title, head, first, second] = readable({ reviews }).split('\n');
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
