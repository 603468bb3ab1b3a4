import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  type AttributeValue,
  BatchWriteItemCommand,
  DynamoDBClient,
  paginateScan,
} from '@aws-sdk/client-dynamodb';
import { chunks } from '../../functions/shared/runtime/chunks.ts';
import type { Call } from '../support/call.ts';

/** The release whose data and indexes this one takes over: the newest folder of `test/fixtures`. */
export const lastRelease = '0.1.0';

type Items = Record<string, AttributeValue>[];

/** The table of a release, and the requests that were prepared there, by the name of their scenario. */
export interface Fixture {
  /** The time of the recording, ISO 8601. */
  recordedAt: string;
  requests: Record<string, Call>;
  items: Items;
}

const fileOf = (release: string) => join(import.meta.dirname, '../fixtures', release, 'table.json');

/** Bytes are written in Base64. Buffers convert themselves before they come here. */
function toText(this: Record<string, unknown>, key: string, value: unknown): unknown {
  const bytes = this[key];
  return bytes instanceof Uint8Array ? { base64: Buffer.from(bytes).toString('base64') } : value;
}

function fromText(_: string, value: unknown): unknown {
  const { base64 } = (value ?? {}) as { base64?: unknown };
  return typeof base64 === 'string' ? new Uint8Array(Buffer.from(base64, 'base64')) : value;
}

export function readFixture(release: string): Fixture {
  return JSON.parse(readFileSync(fileOf(release), 'utf8'), fromText);
}

/** Writes a fixture: a request in a line, then an item in a line. @returns the file. */
export function writeFixture(release: string, { recordedAt, requests, items }: Fixture): string {
  const byName = Object.entries(requests).map(
    ([name, request]) => `${JSON.stringify(name)}: ${JSON.stringify(request)}`,
  );
  const byKey = items.map((item) => JSON.stringify(item, toText)).toSorted();
  const file = fileOf(release);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(
    file,
    `{"recordedAt": "${recordedAt}",\n"requests": {\n${byName.join(',\n')}\n},\n"items": [\n${byKey.join(',\n')}\n]}\n`,
  );
  return file;
}

/** All items of a table, keys first. The region, credentials and endpoint are those of the environment. */
export async function dumpTable(TableName: string): Promise<Items> {
  const client = new DynamoDBClient();
  const items: Items = [];
  for await (const { Items = [] } of paginateScan({ client }, { TableName })) items.push(...Items);
  client.destroy();
  return items.map(({ pk, sk, ...attributes }) =>
    Object.assign({ pk, sk }, Object.fromEntries(Object.entries(attributes).toSorted())),
  );
}

/** The items of one `BatchWriteItem` at most. */
const batchSize = 25;

/** Writes items to a table. The region, credentials and endpoint are those of the environment. */
export async function loadTable(TableName: string, items: Items): Promise<void> {
  const client = new DynamoDBClient();
  const answers = await Promise.all(
    chunks(
      items.map((Item) => ({ PutRequest: { Item } })),
      batchSize,
    ).map((batch) => client.send(new BatchWriteItemCommand({ RequestItems: { [TableName]: batch } }))),
  );
  client.destroy();
  const left = answers.filter(({ UnprocessedItems = {} }) => Object.keys(UnprocessedItems).length > 0);
  if (left.length > 0) throw new Error('The engine has not written every item');
}
