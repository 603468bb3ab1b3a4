import { defined } from '../../../../../functions/shared/contract/defined.ts';
import { answer, badServer, cut, errorOf, json, page } from './bad-server.ts';

const server = badServer();

describe('the entries of a list', () => {
  const collected = async (entries: AsyncIterable<{ _id: string }>) => {
    const ids: string[] = [];
    for await (const { _id } of entries) ids.push(_id);
    return ids;
  };

  test('are those of all pages, in order, with the fields of the first request', async () => {
    server.answers = [
      json(200, { plans: [{ _id: 'a' }, { _id: 'b' }], nextCursor: 'c 1' }),
      page(502),
      json(200, { plans: [], nextCursor: 'c2' }),
      json(200, { plans: [{ _id: 'c' }] }),
    ];
    expect(await collected(server.client().listPlans({ limit: 2 }))).toEqual(['a', 'b', 'c']);
    const again = '/plans?limit=2&cursor=c%201';
    expect(server.arrived.map(({ url }) => url)).toEqual([
      '/plans?limit=2',
      again,
      again,
      '/plans?limit=2&cursor=c2',
    ]);
  });

  test('end with hasMore where a list has a cursor after its last entry, and may be of newer types', async () => {
    server.answers = [
      json(200, { events: [{ _id: '1' }], nextCursor: 'n1', hasMore: true }),
      json(200, { events: [{ _id: '2', type: 'parcel.sent' }], nextCursor: 'n2', hasMore: false }),
    ];
    const events: unknown[] = [];
    for await (const event of server.client().listEvents()) events.push(event);
    expect(events).toEqual([{ _id: '1' }, { _id: '2', type: 'parcel.sent' }]);
    expect(server.arrived.at(-1)?.url).toBe('/api/v1/events?after=n1');
  });

  test.each([[['a']], [['a', 'b', 'a']]])('end with an error when a page repeats: %j', async (cursors) => {
    server.answers = cursors.map((nextCursor) => json(200, { plans: [], nextCursor }));
    expect((await errorOf(collected(server.client().listPlans()))).code).toBe('repeated_page');
    expect(server.arrived).toHaveLength(Math.max(cursors.length, 2));
  });

  test('end with an error where there are more, and no way to them', async () => {
    server.answers = [json(200, { events: [{ _id: '1' }], hasMore: true })];
    const read = async () => {
      for await (const _ of server.client().listEvents());
    };
    expect((await errorOf(read())).code).toBe('unexpected_answer');
  });

  test.each([{}, { plans: null }, { plans: {} }])(
    'end with an error in place of a page without its list: %j',
    async (body) => {
      server.answers = [json(200, { plans: [{ _id: 'a' }], nextCursor: 'more' }), json(200, body)];
      expect((await errorOf(collected(server.client().listPlans()))).code).toBe('unexpected_answer');
      expect(server.arrived).toHaveLength(2);
    },
  );

  test('end with the reason of a caller who aborts between two pages', async () => {
    const controller = new AbortController();
    const reason = new Error('The page was left.');
    server.answers = [json(200, { plans: [{ _id: 'a' }], nextCursor: 'more' })];
    const read = async () => {
      for await (const _ of server.client().listPlans({}, controller)) controller.abort(reason);
    };
    await expect(read()).rejects.toBe(reason);
    expect(server.arrived).toHaveLength(1);
  });

  test('of a page alone are one request', async () => {
    server.answers = [json(200, { plans: [{ _id: 'a' }], nextCursor: 'more' })];
    expect((await server.client().listPlans()).nextCursor).toBe('more');
    expect(server.arrived).toHaveLength(1);
  });
});

const collectedTexts = async (pages: AsyncIterable<string>) => {
  const texts: string[] = [];
  for await (const text of pages) texts.push(text);
  return texts;
};
const csv = (text: string, link?: string) =>
  answer(200, text, { 'content-type': 'text/csv; charset=utf-8', ...defined({ link }) });
const asCsv = { accept: 'text/csv' } as const;

describe('a list as text', () => {
  test('is a page with its cursor, or the texts of all pages', async () => {
    const link = '<https://api.example/api/v1/invoices?limit=1&cursor=c+1>; rel="next"';
    server.answers = [csv('a\r\n', link), page(502), csv('b\r\n')];
    const pages = server.client().listInvoices({ limit: 1 }, asCsv);
    expect(await pages).toEqual({ text: 'a\r\n', nextCursor: 'c 1' });
    expect(await collectedTexts(pages)).toEqual(['a\r\n', 'b\r\n']);
    const again = '/api/v1/invoices?limit=1&cursor=c%201';
    expect(server.arrived.map(({ url }) => url)).toEqual(['/api/v1/invoices?limit=1', again, again]);
    for (const { headers } of server.arrived) expect(headers.accept).toBe('text/csv');
  });

  test('has pages where its JSON has none', async () => {
    server.answers = [csv('a', '</api/v1/reports/receivables?cursor=c>; rel="next"'), csv('b')];
    const pages = server.client().getReceivablesReport({}, asCsv);
    expect(await collectedTexts(pages)).toEqual(['a', 'b']);
  });

  test.each([
    ['<https://x?cursor=b>; rel="prev", <https://x?at=,&cursor=c>; title="t"; rel="next"', 'c'],
    ['<https://x?cursor=c>;rel=next', 'c'],
    ['<https://x?cursor=c>; title="a,b"; Rel="first next"', 'c'],
    ['<https://x?cursor=c>; rel="nextish", <https://x>; title="; rel=next"', undefined],
    ['<https://x?cursor=b>; rel="prev"', undefined],
    ['<https://x>; rel="next"', undefined],
  ])('has the cursor of the link that leads to the next page: %s', async (link, nextCursor) => {
    server.answers = [csv('a', link)];
    expect((await server.client().listInvoices({}, asCsv)).nextCursor).toBe(nextCursor);
  });

  test('ends with an error when a page repeats', async () => {
    server.answers = [csv('a', '<https://x?cursor=same>; rel="next"')];
    const pages = server.client().listInvoices({}, asCsv);
    expect((await errorOf(collectedTexts(pages))).code).toBe('repeated_page');
    expect(server.arrived).toHaveLength(2);
  });

  test.each([
    ['of another server', page(200), 'unexpected_answer'],
    [
      'without its end',
      cut(200, { 'content-type': 'text/csv', 'content-length': '1000' }),
      'connection_lost',
    ],
  ])('is no page %s', async (_name, bad, code) => {
    server.answers = [bad];
    expect((await errorOf(server.client().listInvoices({}, asCsv))).code).toBe(code);
  });

  test('may be empty', async () => {
    server.answers = [answer(200, '', { 'content-type': 'Text/Plain; charset=utf-8' })];
    const journal = server.client().listJournalRecords({ format: 'hledger' }, { accept: 'text/plain' });
    expect(await journal).toEqual({ text: '' });
  });
});

test('a report that is being prepared is waited for as text, and is an answer as JSON', async () => {
  const preparing = { status: 'preparing', asOf: '2026-11-26T12:00:00.000Z', records: 1 };
  const notReady = json(202, preparing, { 'retry-after': '2' });
  server.answers = [notReady, csv('a')];
  expect(await server.client().getTaxReport({}, asCsv)).toEqual({ text: 'a' });
  expect(server.waits).toEqual([2_000]);

  server.answers = [notReady];
  const { code, status, retryAfterSeconds } = await errorOf(server.client().getTaxReport({}, asCsv));
  expect([code, status, retryAfterSeconds]).toEqual(['not_ready', 202, 2]);
  expect(await server.client().getTaxReport()).toEqual(preparing);
});

test('a PDF is its bytes, and the page of another server is none', async () => {
  const asPdf = { accept: 'application/pdf' } as const;
  server.answers = [answer(200, '%PDF', { 'content-type': 'application/pdf' }), page(200)];
  const bytes = await server.client().getInvoice({ id: 'inv_1' }, asPdf);
  expect(bytes).toEqual(new TextEncoder().encode('%PDF'));
  expect((await errorOf(server.client().getInvoice({ id: 'inv_1' }, asPdf))).code).toBe('unexpected_answer');
});
