import { printable, printableJson, readable } from '../../../../lib/operator/print.ts';

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

test('the joiners of scripts and emoji are shown', () => {
  const text = '👩\u200D🔬 نامه\u200Cای';
  expect(readable({ title: text })).toContain(text);
  expect(printable(text)).toBe(text);
  expect(printableJson({ title: text })).toContain(text);
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

test.each([80, 60, 120])('a list fits a terminal of %i characters, with ids whole and texts cut', (width) => {
  const text = readable({ reviews: [review, Object.assign({}, review, { title: 'Short' })] }, width);
  const [, head = '', ...rows] = text.split('\n');
  expect(widest(text)).toBeLessThanOrEqual(width);
  expect(head).toMatch(/^ {2}Link ID +.*Title/);
  expect(rows.slice(0, 2)).toEqual([
    expect.stringMatching(/^ {2}lnk_0{26} .*A title of man?y?.*…/),
    expect.stringMatching(/^ {2}lnk_0{26} .*Short/),
  ]);
  expect(text.replaceAll(/\s+/g, ' ')).toMatch(
    /Hidden columns: Application ID, .*User ID.*\. Use --json to see all fields\.$/,
  );
  expect(text).not.toMatch(/ $/m);
});

test('a list of one record is shown whole where its table would lack columns', () => {
  const text = readable({ reviews: [review] });
  expect(widest(text)).toBeLessThanOrEqual(80);
  expect(text).toMatch(/^ {2}Link ID +lnk_0{26}$/m);
  expect(text.replaceAll(/\s/g, '')).toContain(review.url);
  expect(text.replaceAll(/\s+/g, ' ')).toContain(review.title);
});

test('the fields that tell payments apart come first; records in them, other ids and empty columns last', () => {
  const payment = (id: string) => ({
    _id: `pay_${id.repeat(26)}`,
    sourceId: 'x'.repeat(30),
    payer: { name: 'Anna', iban: 'DE02120300000000202051' },
    entries: [{ amount: 1 }, { amount: 2 }],
    veryLongNameOfAnAbsentNote: undefined,
    status: 'unapplied',
    amount: 9.99,
    currency: 'EUR',
  });
  const lines = readable({ payments: [payment('0'), payment('1')] }).split('\n');
  expect(lines[1]?.trim()).toMatch(/^ID +Entries +Status +Amount +Currency$/);
  expect(lines[2]?.trim()).toMatch(/^pay_0{26} +2 +unapplied +9\.99 +EUR$/);
  expect(lines.slice(5).join(' ').replaceAll(/\s+/g, ' ').trim()).toBe(
    'Hidden columns: Source ID, Payer name, Payer iban, Very long name of an absent note. Use --json to see all fields.',
  );
});
