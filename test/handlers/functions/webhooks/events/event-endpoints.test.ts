import { eventRetentionDays } from '../../../../../functions/shared/contract/events.ts';
import { dayMs } from '../../../../../functions/shared/runtime/clock.ts';
import { newId } from '../../../../../functions/shared/runtime/ids.ts';
import { type Answered, call, newTenant, type Tenant } from '../../../../support/call.ts';
import { exampleData, listedEvents } from '../../../../support/webhooks/events.ts';

const asApplication = ({ apiKey }: Tenant) => ({ authorization: `Bearer ${apiKey}` });
const list = (tenant: Tenant, query: Record<string, string> = {}): Promise<Answered> =>
  call('webhooks.event-list', { headers: asApplication(tenant), query });
const read = (tenant: Tenant, id: string): Promise<Answered> =>
  call('webhooks.event-read', { headers: asApplication(tenant), params: { id } });
const idsOf = ({ body }: Answered): string[] => body.events.map(({ id }: { id: string }) => id);
/** Reads the list page by page to its end. */
async function walk(tenant: Tenant, query: Record<string, string> = {}): Promise<Answered[]> {
  let page = await list(tenant, query);
  const pages = [page];
  while (page.body.hasMore) {
    // An application may make 50 requests a second.
    vi.setSystemTime(Date.now() + 100);
    page = await list(tenant, { ...query, after: page.body.nextCursor });
    pages.push(page);
  }
  return pages;
}

const refusal = (problem: string) => ({ status: 400, body: { details: { after: problem } } });
const unknownEvent = refusal('names no event of this application that is still kept');

beforeAll(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterAll(() => {
  vi.useRealTimers();
});

test('an event is listed as it is delivered: id, type, createdAt, sequence and data, in this order', async () => {
  const tenant = await newTenant();
  const nowMs = Date.now();
  const data = { currency: 'Ünïcode "quoted"' };
  const ids = await listedEvents(tenant.applicationId, [['payment.received', 'invoice.issued']], {
    nowMs,
    data,
  });
  const { body } = await list(tenant);
  const expected = ['payment.received', 'invoice.issued'].map((type, i) => ({
    id: ids[i],
    type,
    createdAt: new Date(nowMs).toISOString(),
    sequence: i + 1,
    data: { ...exampleData(type), ...data },
  }));
  expect(JSON.stringify(body.events)).toBe(JSON.stringify(expected));
  expect(body).toEqual({ events: expected, nextCursor: expect.any(String), hasMore: false });
  expect((await read(tenant, ids[1] ?? '')).text).toBe(JSON.stringify({ event: expected[1] }));
});

test('a page ends after limit events, also inside a change, and nextCursor goes on with the next event', async () => {
  const tenant = await newTenant();
  const groups = Array.from({ length: 8 }, (_, i) =>
    Array.from({ length: 1 + (i % 3) }, () => 'invoice.issued'),
  );
  const ids = await listedEvents(tenant.applicationId, groups);
  for (const limit of [1, 4, 14, 15, 16]) {
    const pages = await walk(tenant, { limit: String(limit) });
    expect(pages.flatMap(idsOf), String(limit)).toEqual(ids);
    expect(pages).toHaveLength(Math.ceil(ids.length / limit));
  }
});

test('a reader at the end of the list goes on with nextCursor when more has happened', async () => {
  const tenant = await newTenant();
  const empty = await list(tenant);
  expect(empty.body).toEqual({ events: [], nextCursor: expect.any(String), hasMore: false });
  const first = await listedEvents(tenant.applicationId, [['invoice.issued'], ['invoice.issued']]);
  const page = await list(tenant, { after: empty.body.nextCursor });
  expect(idsOf(page)).toEqual(first);
  const end = await list(tenant, { after: page.body.nextCursor });
  expect(end.body).toEqual({ events: [], nextCursor: page.body.nextCursor, hasMore: false });
  const second = await listedEvents(tenant.applicationId, [['invoice.issued']]);
  expect(idsOf(await list(tenant, { after: end.body.nextCursor }))).toEqual(second);
});

test('after an event id, the page starts with the event that follows it', async () => {
  const tenant = await newTenant();
  const ids = await listedEvents(tenant.applicationId, [
    ['invoice.issued', 'invoice.updated'],
    ['invoice.issued'],
    ['invoice.issued', 'invoice.updated', 'invoice.paid'],
  ]);
  for (const [i, after] of ids.entries()) {
    expect(idsOf(await list(tenant, { after }))).toEqual(ids.slice(i + 1));
  }
});

test('a type or a pattern selects events, also where few of many match', async () => {
  const tenant = await newTenant();
  const types = Array.from({ length: 210 }, (_, i) =>
    i % 50 === 20 ? 'payment.received' : 'subscription.renewed',
  );
  const ids = await listedEvents(
    tenant.applicationId,
    types.map((type) => [type, 'invoice.issued']),
  );
  const expected = ids.filter((_, i) => i % 2 === 0 && types[i / 2] === 'payment.received');
  for (const type of ['payment.received', 'payment.*']) {
    const page = await list(tenant, { type });
    expect(idsOf(page)).toEqual(expected);
    expect(page.body.hasMore).toBe(false);
    const half = await list(tenant, { type, limit: '2' });
    expect([idsOf(half), half.body.hasMore]).toEqual([expected.slice(0, 2), true]);
    expect(idsOf(await list(tenant, { type, after: half.body.nextCursor }))).toEqual(expected.slice(2));
  }
  expect(idsOf(await list(tenant, { type: '*', limit: '3' }))).toEqual(ids.slice(0, 3));
});

test('expired events are in no page, are not found, and are no place to start after', async () => {
  const tenant = await newTenant();
  const { applicationId } = tenant;
  const nowMs = Date.now();
  const expired = await listedEvents(
    applicationId,
    Array.from({ length: 120 }, () => ['invoice.issued']),
    {
      nowMs: nowMs - eventRetentionDays * dayMs,
    },
  );
  const kept = await listedEvents(applicationId, [['invoice.issued']], {
    nowMs: nowMs - eventRetentionDays * dayMs + 60_000,
  });
  const page = await list(tenant);
  expect(idsOf(page)).toEqual(kept);
  expect(page.body.hasMore).toBe(false);
  expect((await read(tenant, expired[0] ?? '')).status).toBe(404);
  expect((await read(tenant, kept[0] ?? '')).status).toBe(200);
  expect(await list(tenant, { after: expired[0] ?? '' })).toMatchObject(unknownEvent);
});

test('foreign, unknown and malformed ids are not found alike', async () => {
  const tenant = await newTenant();
  const other = await newTenant();
  const [id = ''] = await listedEvents(other.applicationId, [['invoice.issued']]);
  const unknown = `${newId('evt', Date.now())}0`;
  const beyond = `${id.slice(0, -1)}1`;
  const answers = await Promise.all(
    [id, unknown, beyond, id.slice(0, -1), `${id}0`, id.toLowerCase(), 'x', '../x'].map((one) =>
      read(tenant, one),
    ),
  );
  for (const { status, body } of answers) expect([status, body]).toEqual([404, answers[0]?.body]);
  expect((await read(other, id)).status).toBe(200);
  for (const after of [id, unknown]) expect(await list(tenant, { after })).toMatchObject(unknownEvent);
  expect(await list(other, { after: beyond })).toMatchObject(unknownEvent);
  expect(idsOf(await list(tenant))).toEqual([]);
});

test('a cursor of one application is refused to another', async () => {
  const tenant = await newTenant();
  const other = await newTenant();
  await listedEvents(tenant.applicationId, [['invoice.issued'], ['invoice.issued']]);
  const { body } = await list(tenant, { limit: '1' });
  expect(await list(other, { after: body.nextCursor })).toMatchObject(
    refusal('is neither the id of an event nor a cursor that this list gave'),
  );
});

test('events that fill an answer are given in pages that fit', async () => {
  const tenant = await newTenant();
  // Each takes 900 KB as sent.
  const data = { paymentReference: '"'.repeat(100_000) };
  const ids: string[] = [];
  for (let i = 0; i < 12; i += 1)
    ids.push(...(await listedEvents(tenant.applicationId, [['invoice.issued']], { data })));
  const first = await list(tenant);
  expect(first.body.hasMore).toBe(true);
  expect(idsOf(first).length).toBeGreaterThan(1);
  expect(idsOf(first).length).toBeLessThan(12);
  expect((await walk(tenant)).flatMap(idsOf)).toEqual(ids);
});
