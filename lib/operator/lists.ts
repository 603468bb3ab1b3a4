/** Puts records that an earlier release wrote into the index of lists. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { defined } from '../../functions/shared/contract/defined.ts';
import { clientListing } from '../../functions/subscriptions/clients/client-listing.ts';
import { creditNoteListing } from '../../functions/subscriptions/invoices/credit-note-listing.ts';
import { invoiceListing } from '../../functions/subscriptions/invoices/invoice-listing.ts';
import { paymentListing } from '../../functions/subscriptions/payments/payment-listing.ts';
import { subscriptionListing } from '../../functions/subscriptions/state/subscription-listing.ts';
import { CommandFailed } from './api.ts';
import { UsageError } from './arguments.ts';
import type { VerbDescription } from './help.ts';

export const backfillLists = {
  name: 'lists backfill',
  summary:
    'Puts subscriptions, invoices, clients and payments of an earlier release into the index of lists.',
  options: {
    table: { type: 'text', field: 'table', help: 'name of the table; default: TABLE_NAME' },
    continue: { type: 'text', field: 'continue', help: 'where a command that was interrupted stopped' },
  },
  notes: [
    'Reads the whole table once, and writes the records that are not listed as they are. It can be repeated, and run while',
    'the service runs: a record that changes meanwhile is listed by that change. Progress goes to standard error, with what',
    '--continue takes.',
    'Uses the AWS credentials and region of the environment, and AWS_ENDPOINT_URL_DYNAMODB if it is set. The credentials',
    'need dynamodb:Scan and dynamodb:UpdateItem on the table.',
  ].join('\n'),
} as const satisfies VerbDescription;

type Item = { pk: string; sk: string } & Record<string, unknown>;
type Listing = ReturnType<typeof clientListing>;

/** What a record has to be listed as, and the attribute that every change of it changes. */
interface Wanted {
  listing: Listing;
  /** A client's place never changes. */
  version?: 'revision' | 'eventCount';
}

/** The records by their keys. Each function takes the item that the service stores. */
const kinds: readonly { pk: string; sk: string; wanted(item: Item): Wanted | undefined }[] = [
  { pk: 'CLIENT#', sk: 'CLIENT', wanted: (item) => ({ listing: clientListing(item as never) }) },
  {
    pk: 'CLIENT#',
    sk: 'SUB#',
    wanted: (item) => ({ listing: subscriptionListing(item as never), version: 'revision' }),
  },
  {
    pk: 'SUBSCRIPTION#',
    sk: 'INVOICE#',
    wanted: (item) => ({ listing: invoiceListing(item as never), version: 'eventCount' }),
  },
  {
    pk: 'SUBSCRIPTION#',
    sk: 'CREDITNOTE#',
    wanted: (item) => ({ listing: creditNoteListing(item as never) }),
  },
  {
    pk: 'PAYMENT#',
    sk: 'PAYMENT',
    // Release 0.1.0 stored no amount.
    wanted: (item) =>
      item.amountMinor === undefined
        ? undefined
        : { listing: paymentListing(item as never), version: 'revision' },
  },
];

function wantedOf(item: Item): Wanted | undefined {
  return kinds.find(({ pk, sk }) => item.pk.startsWith(pk) && item.sk.startsWith(sk))?.wanted(item);
}

/** What a run did, in items. */
export interface Backfilled {
  scanned: number;
  listed: number;
  /** Those that changed meanwhile. The change listed them. */
  changedMeanwhile: number;
}

const maxAttempts = 8;
const concurrentWrites = 20;
const firstDelayMs = 25;

/**
 * @param say takes a line of progress for each page of the table, with where to continue.
 * @throws UsageError
 * @throws CommandFailed when the table cannot be read or written; it says where to continue.
 */
export async function backfill(
  fields: { table?: string; continue?: string },
  env: Record<string, string | undefined>,
  say: (line: string) => void,
): Promise<Backfilled> {
  const TableName = fields.table ?? env.TABLE_NAME ?? '';
  if (TableName === '') throw new UsageError('The table is not set. Use --table <table>, or set TABLE_NAME.');
  const done: Backfilled = { scanned: 0, listed: 0, changedMeanwhile: 0 };
  let startKey = startOf(fields.continue);
  const { DynamoDBClient } = await import('@aws-sdk/client-dynamodb');
  const { DynamoDBDocumentClient, ScanCommand } = await import('@aws-sdk/lib-dynamodb');
  const dynamodb = DynamoDBDocumentClient.from(new DynamoDBClient({ maxAttempts }));
  try {
    do {
      const page = await dynamodb.send(
        new ScanCommand({
          TableName,
          // It costs the same read units, and less to transfer.
          FilterExpression:
            'begins_with(pk, :client) OR begins_with(pk, :subscription) OR begins_with(pk, :payment)',
          ExpressionAttributeValues: {
            ':client': 'CLIENT#',
            ':subscription': 'SUBSCRIPTION#',
            ':payment': 'PAYMENT#',
          },
          ...defined({ ExclusiveStartKey: startKey }),
        }),
      );
      await listAll(dynamodb, TableName, (page.Items ?? []) as Item[], done);
      done.scanned += page.ScannedCount ?? 0;
      startKey = page.LastEvaluatedKey;
      if (startKey !== undefined)
        say(`${done.scanned} items read, ${done.listed} listed. --continue ${tokenOf(startKey)}`);
    } while (startKey !== undefined);
    return done;
  } catch (error) {
    if (error instanceof CommandFailed) throw error;
    throw failure(error, TableName, startKey);
  } finally {
    dynamodb.destroy();
  }
}

async function listAll(
  dynamodb: DynamoDBDocumentClient,
  table: string,
  items: readonly Item[],
  done: Backfilled,
): Promise<void> {
  const due = items.flatMap((item) => {
    const wanted = wantedOf(item);
    return wanted === undefined || isListedAs(item, wanted.listing) ? [] : [{ item, wanted }];
  });
  for (let i = 0; i < due.length; i += concurrentWrites) {
    const results = await Promise.all(
      due.slice(i, i + concurrentWrites).map(({ item, wanted }) => list(dynamodb, table, item, wanted)),
    );
    done.listed += results.filter(Boolean).length;
    done.changedMeanwhile += results.filter((written) => !written).length;
  }
}

/** Writes the place of an item that is as it was read. @returns false when it has changed, or is gone. */
async function list(
  dynamodb: DynamoDBDocumentClient,
  TableName: string,
  item: Item,
  { listing, version }: Wanted,
): Promise<boolean> {
  const { UpdateCommand } = await import('@aws-sdk/lib-dynamodb');
  const read = version && item[version];
  const isAsRead = read === undefined ? `attribute_not_exists(${version})` : `${version} = :read`;
  const update = new UpdateCommand({
    TableName,
    Key: { pk: item.pk, sk: item.sk },
    UpdateExpression: 'SET #list = :list, listedAt = :listedAt, listed = :listed',
    ConditionExpression: `attribute_exists(pk)${version === undefined ? '' : ` AND ${isAsRead}`}`,
    ExpressionAttributeNames: { '#list': 'list' },
    ExpressionAttributeValues: {
      ':list': listing.list,
      ':listedAt': listing.listedAt,
      ':listed': listing.listed,
      ...defined({ ':read': read }),
    },
  });
  for (let attempt = 1; ; attempt += 1) {
    try {
      await dynamodb.send(update);
      return true;
    } catch (error) {
      const { name } = error as Error;
      if (name === 'ConditionalCheckFailedException') return false;
      // A transaction of the service writes the item.
      if (name !== 'TransactionConflictException' || attempt === maxAttempts) throw error;
      await sleep(firstDelayMs * 2 ** attempt);
    }
  }
}

function isListedAs(item: Item, { list, listedAt, listed }: Listing): boolean {
  return item.list === list && item.listedAt === listedAt && sorted(item.listed) === sorted(listed);
}

/** JSON with the names of all objects in order: DynamoDB keeps none. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );
}

const tokenOf = (key: Record<string, AttributeValue>) =>
  Buffer.from(JSON.stringify({ pk: key.pk, sk: key.sk })).toString('base64url');

/** @throws UsageError */
function startOf(token: string | undefined): Record<string, AttributeValue> | undefined {
  if (token === undefined) return undefined;
  try {
    const { pk, sk } = JSON.parse(Buffer.from(token, 'base64url').toString());
    if (typeof pk === 'string' && typeof sk === 'string') return { pk, sk } as never;
  } catch {
    // It is refused below.
  }
  throw new UsageError('--continue takes what the command printed last.');
}

function failure(error: unknown, table: string, startKey?: Record<string, AttributeValue>): CommandFailed {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  const onwards = startKey === undefined ? '' : ` with --continue ${tokenOf(startKey)}`;
  const isMissing = name === 'ResourceNotFoundException';
  return new CommandFailed(`The request to the table ${table} failed. ${name}: ${message}`, {
    code: isMissing ? 'table_not_found' : 'table_failed',
    next: `Check the table, the region, the credentials and their rights, then repeat the command${onwards}.`,
  });
}
