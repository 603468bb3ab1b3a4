/** Cursors that no list gave: altered, of another list, of another caller, or made up with a right checksum. */

import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { registeredRoutes } from '../../../functions/routes.ts';
import { ApiError } from '../../../functions/shared/contract/errors.ts';
import * as cursors from '../../../functions/shared/lambda/cursor.ts';
import { type Answered, type Call, call, registered } from '../../support/call.ts';
import { samples } from '../../support/samples/requests.ts';

/** A cursor with a right checksum, which a caller can compute: it has no key. */
function forged(scope: readonly string[], text: string): string {
  const checksum = createHash('sha256')
    .update(JSON.stringify([...scope, text]))
    .digest('base64url');
  return Buffer.from(checksum.slice(0, 16) + text).toString('base64url');
}

beforeAll(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterAll(() => {
  vi.useRealTimers();
});

const ulid = '01M8ABCDEFGHJKMNPQRSTVWXYZ';
const at = '2026-01-01T00:00:00.000Z';
/** A position in each list, which is not in it any more. */
const positions: Readonly<Record<string, Record<string, string>>> = {
  'console.client-show': { startAfter: `sub_${ulid}` },
  'console.customer-list': { subscription: `${at}#sub_${ulid}` },
  'console.customer-show': { invoice: '1', entry: '1' },
  'account.show': { grantId: `gnt_${ulid}` },
  'console.audit': { action: `${at}#aud_${ulid}` },
  'console-developers.list': { application: `${at}#app_${ulid}` },
  'console-developers.webhook-show': { event: `evt_${ulid}0` },
  'console-money.home': { application: `${at}#app_${ulid}` },
  'console-money.show': { payment: `${at}#pay_${ulid}` },
  'console-money.statement-list': { bank_statement: `${at}#bst_${ulid}` },
  'console-money.statement-show': { after: '1' },
  'console.review-queue': { startAfter: `1#${at}#lnk_${ulid}` },
  'console.review-show': { before: '1' },
  'users.grant-list': { grantId: `gnt_${ulid}` },
  'operator.action-list': { action: `${at}#aud_${ulid}` },
  'operator.audit-list': { before: '1' },
  'users.history': { before: '1' },
  'operator.mail-list': { startAfter: `${at} sub_${ulid} 01-x` },
  'operator.subscription-mail-list': { after: `${at} invoice#1` },
  'links.list': { linkId: `lnk_${ulid}` },
  'links.user-link-list': { linkId: `lnk_${ulid}` },
  'links.decision-list': { decision: `${at}#lnk_${ulid}#2` },
  'links.review-list': { startAfter: `1#${at}#lnk_${ulid}` },
  'links.review-read': { before: '1' },
  'applications.list': { application: `${at}#app_${ulid}` },
  'users.list': { user: `${at}#user-1` },
  'clients.list': { client: `${at}#user-1` },
  'invoices.list': { invoice: `${at}#inv_${ulid}` },
  'invoices.credit-note-list': { credit_note: `${at}#crn_${ulid}` },
  'journal.account-statement': { line: '1' },
  'journal.list': { journal: `${at}#jrn_${ulid}` },
  'payments.list': { payment: `${at}#pay_${ulid}` },
  'reports.receivables-read': { invoice: `${at}#inv_${ulid}` },
  'statements.list': { bank_statement: `${at}#bst_${ulid}` },
  'statements.read': { after: '1' },
  'subscriptions.list': { startAfter: `sub_${ulid}` },
  'plans.list': { startAfter: `pln_${ulid}` },
  'subscriptions.read': { invoice: '1', entry: '1' },
  'webhooks.delivery-list': { event: `evt_${ulid}0` },
  'webhooks.event-list': { group: '7', event: '9' },
};
/** Lists of the whole service, which are the same for every operator. */
const shared = [
  'applications.list',
  'console.audit',
  'console-developers.list',
  'console-money.home',
  'console.review-queue',
  'users.list',
  'operator.action-list',
  'operator.mail-list',
  'links.review-list',
  'links.decision-list',
];

/** The rows of a report are CSV. */
async function sampleOf(id: string): Promise<Call> {
  const sample = (await samples[id]?.()) ?? {};
  const accept = id.startsWith('reports.') ? 'text/csv' : 'application/json';
  return { ...sample, headers: { ...sample.headers, accept } };
}

test('every list is tested', () => {
  const paged = registeredRoutes().filter(
    ({ route: { query } }) => query?.shape.cursor !== undefined || query?.shape.after !== undefined,
  );
  expect(Object.keys(positions).sort()).toEqual(paged.map(({ id }) => id).sort());
});

/** Positions that no list gives, in the JSON of a cursor. */
const texts = [
  ...['{', 'null', '[]', '"x"', '{}', '{"__proto__":{"startAfter":"x"}}'],
  ...['5', '""', '"\\ud800"', '"\\u0000"', '"abc"', '"1e400"', '"-1"', '"0x10"', '[]'].map(
    (value) =>
      `{"startAfter":${value},"linkId":${value},"before":${value},"invoice":${value},"entry":${value},"grantId":${value},"group":${value},"event":${value}}`,
  ),
  `{"startAfter":"sub_${'0'.repeat(25)}","linkId":"lnk_"}`,
  `{"startAfter":"1#${at}#lnk_x","before":"99999999999999999999","invoice":"1"}`,
  `{"startAfter":"${at} sub_${ulid} ${'x'.repeat(500)}"}`,
  ...[at, `#sub_${ulid}`, `2026-01-01#sub_${ulid}`, `${at}#${'x'.repeat(600)}`].map(
    (place) => `{"client":"${place}","invoice":"${place}","payment":"${place}"}`,
  ),
];

/** The sort keys of a table have at most 1,024 bytes. */
const tooLong = `${at}#${'\u{1F511}'.repeat(250)}`;
/** A key is UTF-8, which has no lone surrogates. */
const malformed = [`${at}#\ud800a`, `${at} \ud800a`];

describe.each(Object.entries(positions))('%s', (id, position) => {
  const parameter = registered(id).route.query?.shape.cursor === undefined ? 'after' : 'cursor';
  let request: Call;
  /** The scope of the cursors that the list gives to the caller of the request. */
  let own: readonly string[];
  /** The forms of the fields that the list reads; undefined where it decodes a cursor by itself. */
  let forms: Parameters<typeof cursors.readCursor>[2] | undefined;

  const list = (cursor: string, { query, ...rest } = request): Promise<Answered> => {
    // An application may make 50 requests a second.
    vi.setSystemTime(Date.now() + 100);
    return call(id, { ...rest, query: { ...query, [parameter]: cursor } });
  };
  const refused = async (cursor: string) => {
    const { status, body, text } = await list(cursor);
    expect([status, body.error, body.details], cursor.slice(0, 80)).toEqual([
      400,
      'invalid_request',
      { [parameter]: expect.any(String) },
    ]);
    if (cursor.length > 9) expect(text).not.toContain(cursor);
  };
  /** The same without a request, by what the list calls. */
  const refusedAsRead = async (cursor: string) => {
    if (forms === undefined) return refused(cursor);
    expect(() => cursors.readCursor(own, cursor, forms ?? {}), cursor.slice(0, 80)).toThrow(ApiError);
  };
  const scopeOf = async (of: Call) => {
    const scopes: (readonly string[])[] = [];
    const read = vi.spyOn(cursors, 'readCursor');
    const decoded = vi.spyOn(cursors, 'decodeCursor');
    await list('x', of);
    for (const [scope] of [...read.mock.calls, ...decoded.mock.calls]) scopes.push(scope);
    forms = read.mock.calls[0]?.[2];
    read.mockRestore();
    decoded.mockRestore();
    const [scope] = scopes;
    if (scope === undefined) throw new Error(`${id} has read no cursor`);
    return scope;
  };

  beforeAll(async () => {
    request = await sampleOf(id);
    own = await scopeOf(request);
  });

  test('accepts a position whose record is gone', async () => {
    expect((await list(cursors.encodeCursor(own, position))).status).toBe(200);
  });

  test('refuses a cursor with any of its characters altered, cut or doubled', async () => {
    const cursor = cursors.encodeCursor(own, position);
    const altered = (n: number) => cursor.slice(0, n) + (cursor[n] === 'A' ? 'B' : 'A') + cursor.slice(n + 1);
    const wrong = [
      ...[0, 9, 22, cursor.length - 1].flatMap((n) => [
        altered(n),
        cursor.slice(0, n),
        cursor.slice(0, n + 1) + cursor,
      ]),
      ...['', ' ', `${cursor} `, `${cursor}=`, '\ud800', 'A'.repeat(100_000)],
    ];
    for (const text of wrong) await refusedAsRead(text);
    for (const text of ['', altered(22)]) await refused(text);
  });

  test('refuses cursors of other lists, and of other callers', async () => {
    await refused(cursors.encodeCursor(['other', ...own.slice(1)], position));
    // Another application, user, link or subscription.
    const foreign = await scopeOf(await sampleOf(id));
    if (shared.includes(id)) expect(foreign).toEqual(own);
    else await refused(cursors.encodeCursor(foreign, position));
  });

  test('refuses a made up position with a right checksum', async () => {
    const [field = ''] = Object.keys(position);
    const others = Object.values(positions).filter(
      (other) => field in other && JSON.stringify(other) !== JSON.stringify(position),
    );
    const madeUp = [...[tooLong, ...malformed].map((place) => ({ ...position, [field]: place })), ...others];
    const wrong = [
      ...texts.map((text) => forged(own, text)),
      ...madeUp.map((one) => cursors.encodeCursor(own, one)),
    ];
    for (const cursor of wrong) await refusedAsRead(cursor);
    await refused(wrong.at(-1) ?? '');
  });
});

const badLimits = ['0', '-1', '+1', '01', '1.0', '1e1', ' 1', '', '\u0661', 'Infinity', '9'.repeat(400)];

/** The page of an account has its own size. */
const limited = Object.keys(positions).filter((id) => registered(id).route.query?.shape.limit !== undefined);

test.each(limited)('%s takes a limit in decimal digits alone', async (id) => {
  const request = await sampleOf(id);
  const field = registered(id).route.query?.shape.limit;
  if (field === undefined) throw new Error(`${id} takes no limit`);
  for (const limit of badLimits) expect(z.safeParse(field, limit).success, limit).toBe(false);
  const limited = (limit: string) => call(id, { ...request, query: { ...request.query, limit } });
  expect(await limited('0')).toMatchObject({
    status: 400,
    body: {
      error: 'invalid_request',
      details: { limit: expect.stringMatching(/^must be an integer from 1 to \d+$/) },
    },
  });
  expect((await limited('1')).status).toBe(200);
});
