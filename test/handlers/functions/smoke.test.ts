/**
 * Each route once, with its valid sample, after the last second that 32 bits hold: its answer, the events that it causes, and how
 * long the items that it writes are kept. Nothing that a user stored is deleted because nobody used it: each kind of item that
 * DynamoDB deletes by itself is listed here, with the reason. `npm run test:fast` runs it with the pure layer.
 */
import { registeredEvents } from '../../../functions/events.ts';
import { registeredRoutes } from '../../../functions/routes.ts';
import { cacheControl } from '../../../functions/shared/contract/headers.ts';
import * as keyOf from '../../../functions/shared/contract/keys.ts';
import type { Route } from '../../../functions/shared/contract/route.ts';
import { tableSchema } from '../../../functions/shared/contract/table-schema.ts';
import { dynamodb } from '../../../functions/shared/table/client.ts';
import { getItem } from '../../../functions/shared/table/table.ts';
import { operationIdOf } from '../../../lib/openapi/operation-id.ts';
import { eventsAfter, explainedOperations } from '../../../lib/reference/following-events.ts';
import { call } from '../../support/call.ts';
import { samples } from '../../support/samples/requests.ts';
import { onOwnTable } from '../../support/table/own-table.ts';
import { lastRelease, readFixture } from '../../upgrade/fixture.ts';

const startMs = Date.parse('2038-01-19T03:13:37.000Z');

// The queue of reviews is one for the table: here it has nothing of other dates.
onOwnTable('smoke');
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: startMs });
});
/** Items that expire, by the prefix of the partition key and the first part of the sort key. */
const expiring: Readonly<Record<string, string>> = {
  'ACCESSTOKEN SECRET': 'an access token expires after an hour',
  'ACCOUNTSESSION SESSION': 'a sign-in of the account page ends',
  'ALERT alert': 'a mail that could not be sent is given up; the device stays trusted',
  'APIKEY SECRET': 'a key with an expiry; keys without one are kept',
  'AUDIT ACTION': 'what an operator did to an object without a list of its own is kept for a year',
  'AUTHORIZATIONCODE SECRET': 'a code is valid for a minute; a used one is kept as long as its tokens',
  'BANKSTATEMENT PART': 'a statement is kept for 90 days; its payments are kept',
  'BANKSTATEMENT RESULTS': 'the same',
  'BANKSTATEMENT STATEMENT': 'the same',
  'CLIENTSECRET SECRET': 'a secret with an expiry; secrets without one are kept',
  'CODE CODE': 'a code is valid for five minutes',
  'CONSENT SESSION': 'a sign-in of the consent page ends',
  'CONSOLESESSION SESSION': 'a session of the console ends',
  'DELIVERY event': 'deliveries are kept for as long as their events, 30 days',
  'DEVICE QUARANTINED': 'a device that was never verified; checking it in again restores it',
  'DPOP PROOF': 'the time of a signed proof is over',
  'EVENT EVENTS': 'events can be read and delivered for 30 days',
  'EVENTLIST part': 'a part that is no longer the newest, once its events have expired',
  'GATEWAY EVENT': 'Stripe repeats an event for days',
  'GATEWAY UNREADABLE': 'an operator reads an event that could not be read within 90 days',
  'GRANT grant': 'no token of the grant is valid any more',
  'IDEMPOTENCY RESPONSE': 'a key is kept for 24 hours',
  'MAILBOX CODES': 'the hour in which codes are counted is over',
  'MAILBOX LINK': 'an enrolment link can be used for seven days',
  'MAILBOX VERIFIEDSOURCES': 'what verified a mailbox is remembered for 90 days',
  'OPERATOR key': 'a key with an expiry; keys without one are kept until they are revoked',
  'OPERATORKEY SECRET': 'the same',
  'PAYMENT PAYMENT': 'a reversal that waits for its payment; payments themselves are kept',
  'QUOTA MAILS': 'the day in which mails are counted is over',
  'QUOTA RECIPIENT': 'the same',
  'RATE BYTES': 'the hour is over',
  'RATE HITS': 'the window is over',
  'RATE LEASES': 'every lease of the tenant has ended by itself',
  'REFRESHTOKEN SECRET': 'a refresh token expires 30 days after its last use',
  'REPORT REVENUE': 'a report that is prepared is kept for 15 minutes; what it counts is kept',
  'REVIEWCLAIM CLAIM': 'a reviewer has ten minutes for a link; the link itself is kept',
  'SHARE HEAD':
    'the time that the creator chose, at most seven days; with a receipt 30 days more, without payload',
  'SHARE PART': 'the time that the creator chose',
  'SUBSCRIPTION OUTBOX': 'a mail that was sent or given up; subscription, invoices and timeline are kept',
};

/** Items that never expire. A kind that is in neither list fails the test. */
const kept: readonly string[] = [
  'ADDRESS USER',
  'APP APPLICATION',
  'AUDIT revision',
  'CLIENT CLIENT',
  'CLIENT SUB',
  'DEVICE TRUSTED',
  'DOCUMENT DOCUMENT',
  'DOCUMENT PART',
  'HISTORY revision',
  'INVOICE OWNER',
  'JOURNAL JOURNAL',
  'LINK link',
  'PLAN plan',
  'PAYOUT PAYOUT',
  'PROOF PROOF',
  'REFERENCE OWNER',
  'SUBSCRIPTION CREDITNOTE',
  'SUBSCRIPTION INVOICE',
  'SUBSCRIPTION OWNER',
  'SUBSCRIPTION TIMELINE',
  'USER PROFILE',
  'USER SOCIAL',
  'VAULT HEAD',
  'VAULT PART',
  'VERIFIEDADDRESS user',
  'WEBHOOK IDS',
  'WEBHOOK webhook',
  'WEBHOOKSECRET SECRETS',
];

const namesById: Readonly<Record<string, string>> = {
  ALERT: 'alert',
  EVENTLIST: 'part',
  HISTORY: 'revision',
  AUDIT: 'revision',
  DELIVERY: 'event',
  GRANT: 'grant',
  LINK: 'link',
  OPERATOR: 'key',
  PLAN: 'plan',
  VERIFIEDADDRESS: 'user',
};

function kindOf({ pk, sk }: keyOf.Key): string {
  const [prefix = ''] = pk.split('#');
  if (sk === 'ACTION') return 'AUDIT ACTION';
  if (prefix === 'WEBHOOK' && sk.startsWith('whk_')) return 'WEBHOOK webhook';
  return `${prefix} ${namesById[prefix] ?? sk.split('#')[0]}`;
}

type Written = keyOf.Key & { events?: { type: string }[] };

/** Keeps the items that `work` writes, or their keys. */
async function writesOf<Result>(work: () => Promise<Result>): Promise<{ result: Result; writes: Written[] }> {
  const writes: Written[] = [];
  const name = 'written-items';
  const collect = (input: object) => {
    const {
      TransactItems = [],
      Item,
      Key,
    } = input as { TransactItems?: object[]; Item?: Written; Key?: Written };
    for (const one of TransactItems) Object.values(one).forEach(collect);
    const item = Item ?? Key;
    if (item !== undefined) writes.push(item);
  };
  dynamodb.middlewareStack.add(
    (next, context) => (args) => {
      if (/^(Put|Update|TransactWrite)/.test(String(context.commandName))) collect(args.input);
      return next(args);
    },
    { step: 'initialize', name },
  );
  const result = await work().finally(() => dynamodb.middlewareStack.remove(name));
  return { result, writes };
}

/** The keys of all items that were written, and the types of the events among them. */
const written = new Map<string, keyOf.Key>();
const seen = new Set<string>();
const { pk: anyGroup } = keyOf.events('');

const routes = registeredRoutes().map(({ service, name, id, route }) => ({
  id,
  operationId: operationIdOf({ service, name, route }),
  route: route as Route,
}));

test.each(routes)(
  '$id answers a valid request with its status and the common headers, and causes the events that the reference names',
  async ({ id, operationId, route }) => {
    const sample = await writesOf(async () => (await samples[id]?.()) ?? {});
    vi.setSystemTime(startMs + 40_000);
    const { result, writes } = await writesOf(() => call(id, sample.result));
    const { status, headers, text } = result;
    expect(status, text).toBe(route.status ?? 200);
    expect(headers).toMatchObject({
      'content-type': route.produces ?? 'application/json; charset=utf-8',
      'cache-control': route.cacheSeconds ? cacheControl(route.cacheSeconds) : 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': 'test-request',
    });
    // Base64 of a PDF or a token has these letters within others.
    expect(text).not.toMatch(/"(?:19\d\d|20[0-3][0-7])-\d\d-\d\dT|Invalid Date|\bNaN\b/);
    const types = writes.flatMap(({ pk, events = [] }) =>
      pk.startsWith(anyGroup) ? events.map(({ type }) => type) : [],
    );
    const named = eventsAfter(operationId);
    expect(types.filter((type) => !named.includes(type))).toEqual([]);
    for (const type of types) seen.add(type);
    for (const { pk, sk } of [...sample.writes, ...writes]) written.set(`${pk} ${sk}`, { pk, sk });
  },
);

test('the requests cause events, and each operation and event that the reference names exists', () => {
  expect(seen.size).toBeGreaterThan(10);
  const types = registeredEvents().map(({ type }) => type);
  for (const id of explainedOperations) {
    expect(routes.map(({ operationId }) => operationId)).toContain(id);
    expect(types).toEqual(expect.arrayContaining(eventsAfter(id)));
  }
});

function check(items: readonly (keyOf.Key & Record<string, unknown>)[]): void {
  for (const item of items) {
    const kind = kindOf(item);
    const isListed = kind in expiring || kept.includes(kind);
    expect(isListed, `${kind} is listed`).toBe(true);
    if (tableSchema.timeToLive in item) expect(Object.keys(expiring)).toContain(kind);
  }
}

test('every item that the endpoints write is kept, or expires for a listed reason', async () => {
  const items = await Promise.all([...written.values()].map(getItem));
  const found = items.filter((item) => item !== undefined);
  expect(found.length).toBeGreaterThan(100);
  check(found);
});

test('so is every item of the last release', () => {
  const { items } = readFixture(lastRelease);
  check(items.map((item) => Object.assign({}, item, { pk: String(item.pk?.S), sk: String(item.sk?.S) })));
});
