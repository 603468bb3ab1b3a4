import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  type AttributeValue,
  BatchWriteItemCommand,
  DynamoDBClient,
  paginateScan,
} from '@aws-sdk/client-dynamodb';
import type { KeyPrefix } from '../../functions/shared/contract/keys.ts';
import { chunks } from '../../functions/shared/runtime/chunks.ts';
import { paymentStatuses } from '../../functions/subscriptions/payments/payment.ts';
import type { createBooks } from './record-books.ts';
import type { createGrants } from './record-oauth.ts';
import type { createPayments } from './record-payments.ts';
import type { createSubscriptions, leaveMailDue } from './record-subscriptions.ts';
import type {
  createDevicesAndVaults,
  createLinks,
  createShares,
  createWebhooks,
  Tenants,
} from './records.ts';
import type { WaitingExecution } from './stack.ts';

type Of<T extends (...parameters: never[]) => Promise<unknown>> = Awaited<ReturnType<T>>;

/** What callers keep: ids, secrets, codes. */
export interface Held {
  operatorKey: string;
  tenants: Tenants;
  shares: Of<typeof createShares>;
  devices: Of<typeof createDevicesAndVaults>;
  links: Of<typeof createLinks>;
  grants: Of<typeof createGrants>;
  subscriptions: Of<typeof createSubscriptions>;
  due: Of<typeof leaveMailDue>;
  /** The fixture of release 0.1.0 has none. */
  payments: Of<typeof createPayments>;
  /** Release 0.1.0 had neither. */
  books?: Of<typeof createBooks>;
  webhooks?: Of<typeof createWebhooks>;
}

export interface Fixture {
  /** The time of the recording, ISO 8601. */
  recordedAt: string;
  held: Held;
  executions: WaitingExecution[];
  items: Record<string, AttributeValue>[];
}

const folder = join(import.meta.dirname, '../fixtures');
const fileOf = (release: string) => join(folder, release, 'table.json');

/** Bytes are written in Base64, those of a long run of zeros as their number. */
function toText(this: Record<string, unknown>, key: string, value: unknown): unknown {
  // Buffers convert themselves before they come here.
  const bytes = this[key];
  if (!(bytes instanceof Uint8Array)) return value;
  return bytes.length > 1_000 && bytes.every((byte) => byte === 0)
    ? { zeros: bytes.length }
    : { base64: Buffer.from(bytes).toString('base64') };
}

function fromText(_: string, value: unknown): unknown {
  const { zeros, base64 } = (value ?? {}) as { zeros?: unknown; base64?: unknown };
  if (typeof zeros === 'number') return new Uint8Array(zeros);
  return typeof base64 === 'string' ? new Uint8Array(Buffer.from(base64, 'base64')) : value;
}

export function readFixture(release: string): Fixture {
  return JSON.parse(readFileSync(fileOf(release), 'utf8'), fromText);
}

/** Writes a fixture: items by their keys, one in a line. @returns the file. */
export function writeFixture(release: string, { items, ...rest }: Fixture): string {
  const lines = items.map((item) => JSON.stringify(item, toText)).toSorted();
  const head = JSON.stringify(rest, null, 2).slice(0, -2);
  const file = fileOf(release);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${head},\n  "items": [\n${lines.join(',\n')}\n  ]\n}\n`);
  return file;
}

/** All items of a table. The region, credentials and endpoint are those of the environment. */
export async function dumpTable(TableName: string): Promise<Fixture['items']> {
  const dynamodb = new DynamoDBClient();
  const items: Fixture['items'] = [];
  for await (const { Items = [] } of paginateScan({ client: dynamodb }, { TableName })) items.push(...Items);
  dynamodb.destroy();
  // Keys first, so that the lines are sorted by them.
  return items.map(({ pk, sk, ...attributes }) => {
    if (pk === undefined || sk === undefined) throw new Error('An item has no key');
    const sorted = Object.entries(attributes).toSorted(([a], [b]) => (a < b ? -1 : 1));
    return { pk, sk, ...Object.fromEntries(sorted) };
  });
}

/** The items of one `BatchWriteItem` at most. */
const batchSize = 25;

/** Writes items to a table. The region, credentials and endpoint are those of the environment. */
export async function loadTable(TableName: string, items: Fixture['items']): Promise<void> {
  const dynamodb = new DynamoDBClient();
  const batches = chunks(
    items.map((Item) => ({ PutRequest: { Item } })),
    batchSize,
  );
  const answers = await Promise.all(
    batches.map((batch) =>
      dynamodb.send(new BatchWriteItemCommand({ RequestItems: { [TableName]: batch } })),
    ),
  );
  dynamodb.destroy();
  const left = answers.filter(({ UnprocessedItems = {} }) => Object.keys(UnprocessedItems).length > 0);
  if (left.length > 0) throw new Error('The engine has not written every item');
}

/** Complete, or it would not compile. False: only an earlier release wrote it, or it is kept for minutes. */
const prefixes = {
  ACCESSTOKEN: true,
  ACCOUNTSESSION: true,
  ADDRESS: true,
  ALERT: true,
  APIKEY: true,
  APP: true,
  AUDIT: true,
  AUTHORIZATIONCODE: true,
  BANKSTATEMENT: true,
  CLIENT: true,
  CLIENTSECRET: true,
  CODE: true,
  CONSENT: true,
  DELIVERY: true,
  DEVICE: true,
  DPOP: true,
  EVENT: true,
  EVENTLIST: true,
  FAMILY: false,
  GATEWAY: true,
  GIVENUP: true,
  GRANT: true,
  HELD: true,
  HISTORY: true,
  IDEMPOTENCY: true,
  INVOICE: true,
  INVOICESERIES: true,
  LINK: true,
  LIST: true,
  MAILBOX: true,
  OPERATOR: true,
  OPERATORKEY: true,
  OUTBOX: true,
  PAYMENT: true,
  PLAN: true,
  PROOF: true,
  QUEUE: true,
  QUOTA: true,
  RATE: true,
  REFERENCE: true,
  REFRESHTOKEN: true,
  REPORT: false,
  SECRET: false,
  SHARE: true,
  SUBSCRIPTION: true,
  TIMER: true,
  USER: true,
  VAULT: true,
  VERIFIEDADDRESS: true,
  WEBHOOK: true,
  WEBHOOKSECRET: true,
} satisfies Record<KeyPrefix, boolean>;

/** @throws Error that names the prefixes of partition keys that no item has, in the table or in an index. */
export function requireEveryPrefix(items: Fixture['items']): void {
  const found = new Set(
    items.flatMap(({ pk, due, queue, list }) =>
      [pk, due, queue, list].map((key) => key?.S?.split('#', 1)[0]),
    ),
  );
  const written = Object.entries(prefixes).flatMap(([prefix, isWritten]) => (isWritten ? [prefix] : []));
  const missing = written.filter((prefix) => !found.has(prefix));
  if (missing.length > 0) throw new Error(`No item has the prefix ${missing.join(', ')}`);
  const has = (holds: (item: Fixture['items'][number]) => boolean) => items.some(holds);
  const states = paymentStatuses.filter(
    (state) => !has(({ pk, status }) => pk?.S?.startsWith('PAYMENT#') === true && status?.S === state),
  );
  const absent = [
    ...states.map((state) => `a payment that is ${state}`),
    ...facts.filter(({ holds }) => !has(holds)).map(({ what }) => what),
  ];
  if (absent.length > 0) throw new Error(`No item is ${absent.join(', ')}`);
}

/** What items of one prefix can hold, and a fixture has to. */
const facts: readonly { what: string; holds(item: Fixture['items'][number]): boolean }[] = [
  { what: 'a credit note', holds: ({ sk }) => sk?.S?.startsWith('CREDITNOTE#') === true },
  { what: 'a subscription with paid terms', holds: ({ paidTerms }) => paidTerms !== undefined },
  { what: 'a subscription with a planned plan', holds: ({ plannedChange }) => plannedChange !== undefined },
  { what: 'a subscription of several units', holds: ({ plan }) => plan?.M?.quantity !== undefined },
  { what: 'a client with credit', holds: ({ sk, credit }) => sk?.S === 'CLIENT' && credit !== undefined },
];
