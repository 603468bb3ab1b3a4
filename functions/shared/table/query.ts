import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { defined } from '../contract/defined.ts';
import { type IndexName, indexes, tableSchema } from '../contract/table-schema.ts';
import * as env from '../runtime/env.ts';
import { dynamodb } from './client.ts';
import type { Item } from './table.ts';

/**
 * Reads the items of a partition whose sort keys have a prefix, in the order of the sort key, with strong consistency.
 *
 * @param maxPages of at most 1 MB each. Items beyond them are not read.
 */
export async function queryItems(pk: string, sortKeyPrefix = '', maxPages = 4): Promise<Item[]> {
  const items: Item[] = [];
  let startAfter: Page['lastKey'];
  for (let pages = 0; pages < maxPages; pages += 1) {
    const page = await queryPage({ partition: pk, sortKeyPrefix, startAfter });
    items.push(...page.items);
    startAfter = page.lastKey;
    if (startAfter === undefined) break;
  }
  return items;
}

export interface PageQuery {
  partition: string;
  index?: IndexName;
  /** Restricts the query to sort keys with this prefix. */
  sortKeyPrefix?: string;
  /** Restricts it to sort keys from `from` to `to`, both included. `from` must not sort after `to`. Without a prefix. */
  range?: { from: string; to: string };
  descending?: boolean;
  /** Maximum number of items. DynamoDB also stops at 1 MB. */
  limit?: number;
  /** The key of the last item of the previous page; for an index, including the attributes of the index. */
  startAfter?: Readonly<Record<string, unknown>> | undefined;
}

export interface Page {
  items: Item[];
  /** The `startAfter` of the next page; undefined on the last page. */
  lastKey: Readonly<Record<string, unknown>> | undefined;
}

type Schema = Partial<Record<'partitionKey' | 'sortKey', string>>;

/** Reads one page with strong consistency, except from global indexes, which DynamoDB updates asynchronously. */
export async function queryPage(query: PageQuery): Promise<Page> {
  const { partition, index, sortKeyPrefix = '', range, descending = false, limit, startAfter } = query;
  const schema: Schema = index ? indexes[index] : tableSchema;
  const isGlobal = index !== undefined && schema.partitionKey !== undefined;
  const { Items = [], LastEvaluatedKey } = await dynamodb.send(
    new QueryCommand({
      TableName: env.tableName(),
      ...(range === undefined
        ? keyCondition(schema, partition, sortKeyPrefix)
        : rangeCondition(schema, partition, range)),
      ConsistentRead: !isGlobal,
      ScanIndexForward: !descending,
      ...defined({ IndexName: index, Limit: limit, ExclusiveStartKey: startAfter }),
    }),
  );
  return { items: Items as Item[], lastKey: LastEvaluatedKey };
}

function keyCondition(
  { partitionKey = tableSchema.partitionKey, sortKey = tableSchema.sortKey }: Schema,
  partition: string,
  sortKeyPrefix: string,
) {
  if (sortKeyPrefix === '') {
    return {
      KeyConditionExpression: '#pk = :pk',
      ExpressionAttributeNames: { '#pk': partitionKey },
      ExpressionAttributeValues: { ':pk': partition },
    };
  }
  return {
    KeyConditionExpression: '#pk = :pk AND begins_with(#sk, :prefix)',
    ExpressionAttributeNames: { '#pk': partitionKey, '#sk': sortKey },
    ExpressionAttributeValues: { ':pk': partition, ':prefix': sortKeyPrefix },
  };
}

function rangeCondition(
  { partitionKey = tableSchema.partitionKey, sortKey = tableSchema.sortKey }: Schema,
  partition: string,
  { from, to }: { from: string; to: string },
) {
  return {
    KeyConditionExpression: '#pk = :pk AND #sk BETWEEN :from AND :to',
    ExpressionAttributeNames: { '#pk': partitionKey, '#sk': sortKey },
    ExpressionAttributeValues: { ':pk': partition, ':from': from, ':to': to },
  };
}

/** Reads up to `limit` items, however many pages of 1 MB they take. */
export async function queryUpTo(query: PageQuery, limit: number): Promise<Item[]> {
  const items: Item[] = [];
  let { startAfter } = query;
  do {
    const page = await queryPage({ ...query, startAfter, limit: limit - items.length });
    items.push(...page.items);
    startAfter = page.lastKey;
  } while (startAfter !== undefined && items.length < limit);
  return items;
}
