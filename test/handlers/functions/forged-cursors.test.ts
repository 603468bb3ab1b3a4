/** Cursors that no list gave: altered, of another list, of another caller, or made up with a right checksum. */

import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { accountCookie } from '../../../functions/account/access/session.ts';
import { registeredRoutes } from '../../../functions/routes.ts';
import { findSecret } from '../../../functions/shared/auth/secrets.ts';
import { encodeCursor } from '../../../functions/shared/lambda/cursor.ts';
import { accountSessions } from '../../../functions/shared/sign-in/session-store.ts';
import { invoiceStatuses } from '../../../functions/subscriptions/invoices/invoice.ts';
import { paymentStatuses } from '../../../functions/subscriptions/payments/payment.ts';
import { type Answered, type Call, call, registered } from '../../support/call.ts';
import { samples } from '../../support/samples/requests.ts';

/** A cursor with a right checksum, which a caller can compute: it has no key. */
function forged(scope: readonly string[], text: string): string {
  const checksum = createHash('sha256')
    .update(JSON.stringify([...scope, text]))
    .digest('base64url');
  return Buffer.from(checksum.slice(0, 16) + text).toString('base64url');
}

/** The application whose secret or key a request has. */
async function applicationOf({ headers = {} }: Call): Promise<string> {
  const token = String(headers.authorization ?? headers.Authorization).replace(/^Bearer /, '');
  for (const kind of ['client_secret', 'api_key'] as const) {
    const record = await findSecret(kind, token, Date.now());
    if (record?.applicationId !== undefined) return record.applicationId;
  }
  throw new Error('The sample has no secret of an application');
}

beforeAll(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterAll(() => {
  vi.useRealTimers();
});

interface List {
  /** The scope of the cursors that the list gives to the caller of a request. */
  scope(request: Call): string[] | Promise<string[]>;
  /** A position in the list, which is not in it any more. */
  position: Record<string, string>;
  /** The parameter that takes the cursor, `cursor` by default. */
  parameter?: 'after';
}

const ulid = '01M8ABCDEFGHJKMNPQRSTVWXYZ';
const at = '2026-01-01T00:00:00.000Z';
/** A list of finance without filters. */
const listed = (kind: string, id: string, statuses: readonly string[], filters: number): List => ({
  scope: async (request) => [
    'listed',
    kind,
    await applicationOf(request),
    ...statuses,
    ...Array<string>(filters).fill(''),
  ],
  position: { [kind]: `${at}#${id}` },
});
const lists: Readonly<Record<string, List>> = {
  'account.show': {
    scope: async ({ headers = {} }) => {
      const token = accountCookie.read(headers.cookie, 'https://api.test') ?? '';
      return ['account', (await accountSessions.find(token, Date.now()))?.userId ?? ''];
    },
    position: { grantId: `gnt_${ulid}` },
  },
  'operator.grant-list': {
    scope: ({ params }) => ['grants', params?.userId ?? ''],
    position: { grantId: `gnt_${ulid}` },
  },
  'operator.audit-list': {
    scope: ({ params }) => ['audit-history', params?.id ?? ''],
    position: { before: '1' },
  },
  'operator.user-history': {
    scope: ({ params }) => ['user-history', params?.userId ?? ''],
    position: { before: '1' },
  },
  'operator.mail-list': {
    scope: () => ['given-up-mails'],
    position: { startAfter: `${at} sub_${ulid} 01-x` },
  },
  'links.list': {
    scope: async (request) => [
      'links',
      await applicationOf(request),
      request.headers?.['x-user-id'] ?? request.query?.userId ?? '',
      '',
    ],
    position: { linkId: `lnk_${ulid}` },
  },
  'links.review-list': { scope: () => ['reviews'], position: { startAfter: `1#${at}#lnk_${ulid}` } },
  'links.review-read': {
    scope: ({ params }) => ['review', params?.linkId ?? ''],
    position: { before: '1' },
  },
  'finance.client-list': listed('client', 'user-1', ['client'], 2),
  'finance.invoice-list': listed('invoice', `inv_${ulid}`, invoiceStatuses, 5),
  'finance.payment-list': {
    scope: async (request) => [
      ...['listed', 'payment', await applicationOf(request)],
      ...[...paymentStatuses, 'partly_returned', paymentStatuses.join(), '', '', '', ''],
    ],
    position: { payment: `${at}#pay_${ulid}` },
  },
  'finance.statement-read': {
    scope: async (request) => ['bank-statement', await applicationOf(request), request.params?.id ?? '', ''],
    position: { after: '1' },
  },
  'subscriptions.list': {
    scope: async (request) => [
      'subscriptions',
      await applicationOf(request),
      'externalId',
      request.query?.externalId ?? '',
    ],
    position: { startAfter: `sub_${ulid}` },
  },
  'subscriptions.plan-list': {
    scope: async (request) => ['plans', await applicationOf(request)],
    position: { startAfter: `pln_${ulid}` },
  },
  'webhooks.delivery-list': {
    scope: async (request) => ['deliveries', await applicationOf(request), request.params?.id ?? '', ''],
    position: { event: `evt_${ulid}0` },
  },
  'webhooks.event-list': {
    scope: async (request) => ['events', await applicationOf(request)],
    position: { group: '7', event: '9' },
    parameter: 'after',
  },
  'subscriptions.read': {
    scope: ({ params }) => ['subscription', params?.id ?? ''],
    position: { invoice: '1', entry: '1' },
  },
};

test('every list is tested', () => {
  const paged = registeredRoutes().filter(
    ({ route: { query } }) => query?.shape.cursor !== undefined || query?.shape.after !== undefined,
  );
  expect(Object.keys(lists).sort()).toEqual(paged.map(({ id }) => id).sort());
});

/** Positions that no list gives, in the JSON of a cursor. */
const texts = [
  ...['{', 'null', '[]', '"x"', '{}', '{"__proto__":{"startAfter":"x"}}'],
  ...['5', '""', '"\\ud800"', '"\\u0000"', '"abc"', '"1e400"', '"-1"', '"1.5"', '"0x10"', '[]', '{}'].map(
    (value) =>
      `{"startAfter":${value},"linkId":${value},"before":${value},"invoice":${value},"entry":${value},"grantId":${value},"group":${value},"event":${value}}`,
  ),
  ...['lnk', 'sub', 'pln', 'gnt'].map(
    (prefix) => `{"startAfter":"${prefix}_${'0'.repeat(25)}","linkId":"${prefix}_"}`,
  ),
  `{"startAfter":"1#${at}#lnk_x","before":"99999999999999999999","invoice":"1"}`,
  `{"startAfter":"${at} sub_${ulid} ${'x'.repeat(500)}"}`,
  `{"startAfter":"${'x'.repeat(1_200)}"}`,
  ...[at, `${at}#`, `#sub_${ulid}`, `2026-01-01#sub_${ulid}`, `${at}#${'x'.repeat(600)}`].map(
    (place) => `{"client":"${place}","invoice":"${place}","payment":"${place}"}`,
  ),
];

describe.each(Object.entries(lists))('%s', async (id, { scope, position, parameter = 'cursor' }) => {
  let sample: Call | undefined;
  const request = async () => {
    sample ??= (await samples[id]?.()) ?? {};
    return sample;
  };
  const list = async (cursor: string): Promise<Answered> => {
    const { query, ...rest } = await request();
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

  test('accepts a position whose record is gone', async () => {
    expect((await list(encodeCursor(await scope(await request()), position))).status).toBe(200);
  });

  test('refuses a cursor with any of its characters altered, cut or doubled', async () => {
    const cursor = encodeCursor(await scope(await request()), position);
    const step = Math.ceil(cursor.length / 12);
    for (let n = 0; n < cursor.length; n += step) {
      await refused(cursor.slice(0, n) + (cursor[n] === 'A' ? 'B' : 'A') + cursor.slice(n + 1));
      await refused(cursor.slice(0, n));
      await refused(cursor.slice(0, n + 1) + cursor);
    }
    for (const text of ['', ' ', `${cursor} `, `${cursor}=`, encodeURIComponent(`${cursor}/`), '\ud800'])
      await refused(text);
    await refused(cursor.repeat(40));
    await refused('A'.repeat(100_000));
  });

  test('refuses cursors of other lists, and of other callers', async () => {
    const own = await scope(await request());
    for (const other of Object.values(lists)) {
      const foreign = encodeCursor(['other', ...own.slice(1)], other.position);
      await refused(foreign);
    }
    // Another application, user, link, subscription or filter.
    for (let n = 0; n < own.length; n += 1) {
      await refused(encodeCursor(own.with(n, `${own[n]}x`), position));
    }
    await refused(encodeCursor([...own, ''], position));
  });

  test('refuses a made up position with a right checksum', async () => {
    const own = await scope(await request());
    const [field = ''] = Object.keys(position);
    for (const text of texts) await refused(forged(own, text));
    for (const other of Object.values(lists)) {
      if (!(field in other.position) || JSON.stringify(other.position) === JSON.stringify(position)) continue;
      await refused(encodeCursor(own, other.position));
    }
  });
});

const badLimits = [
  ...['0', '-1', '+1', '01', '1.0', '1e1', '0x10', '1_0', ' 1', '1 ', '', '\u0661', 'Infinity'],
  '9'.repeat(400),
];

/** The page of an account has its own size. */
const limited = Object.keys(lists).filter((id) => registered(id).route.query?.shape.limit !== undefined);

test.each(limited)('%s takes a limit in decimal digits alone', async (id) => {
  const request = (await samples[id]?.()) ?? {};
  for (const limit of badLimits) {
    const { status, body } = await call(id, { ...request, query: { ...request.query, limit } });
    expect([limit, status, body.error, body.details]).toEqual([
      limit,
      400,
      'invalid_request',
      { limit: expect.stringMatching(/^must be an integer from 1 to \d+$/) },
    ]);
  }
  expect((await call(id, { ...request, query: { ...request.query, limit: '1' } })).status).toBe(200);
});
