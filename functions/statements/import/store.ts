import { isDeepStrictEqual } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { defined } from '../../shared/contract/defined.ts';
import * as keys from '../../shared/contract/keys.ts';
import { whenSettled } from '../../shared/runtime/when-settled.ts';
import { listingAt } from '../../shared/table/listing.ts';
import { getRecord, recordReader } from '../../shared/table/record.ts';
import {
  batchGetItems,
  exists,
  type GuardedUpdate,
  getItem,
  type Item,
  notExists,
  putItem,
  updateItem,
  type Write,
} from '../../shared/table/table.ts';
import { putTogether, updateTogether } from '../../shared/table/together.ts';
import {
  type Author,
  type BankStatement,
  type Decisions,
  type EntryResult,
  isStatementId,
  type StoredEntry,
  statementRetentionMs,
} from './statement.ts';

/** A part is one item, of at most 400 KB. */
const maxPartBytes = 250_000;
/** A person sees progress part by part. */
const maxPartEntries = 250;

/** In the index, all statements have one status. */
export const listedStatus = 'any';

const listingOf = ({ applicationId, statementId, createdAtMs }: BankStatement) =>
  listingAt(
    { applicationId, kind: 'bank_statement', status: listedStatus },
    { id: statementId, atMs: createdAtMs },
    {},
  );

export interface StatementPart {
  entries: readonly StoredEntry[];
  /** Undefined until the part is done. */
  results?: readonly EntryResult[];
}

const readResults = recordReader<Required<Pick<StatementPart, 'results'>>>(['results']);
const readEntries = recordReader<Pick<StatementPart, 'entries'>>(['entries']);
const readHead = recordReader<BankStatement>(
  ['statementId', 'status', 'createdAtMs'],
  ['pk', 'sk', 'list', 'listedAt', 'listed'],
);

/** A statement of an earlier release on which nobody decided has none of these. */
const undecided = { decisions: {}, decisionsVersion: 0, authors: {} };

export const readStatement = (item: Item): BankStatement => ({ ...undecided, ...readHead(item) });

const areAsRead = '(attribute_not_exists(decisionsVersion) OR decisionsVersion = :version)';

/** Bank statements in the table: a head, parts with the entries, and results of parts. All expire after 90 days. */
export const statementStore = {
  /** Stores a statement. Its head is written last: a statement that can be read is whole. Parts without a head expire. */
  async create(
    statement: BankStatement,
    parts: readonly (readonly StoredEntry[])[],
    audit: readonly Write[] = [],
  ): Promise<void> {
    const { applicationId, statementId, createdAtMs } = statement;
    const ttl = keys.timeToLive(createdAtMs + statementRetentionMs);
    await whenSettled(
      parts.map((entries, i) =>
        putItem(
          { ...keys.bankStatementPart(applicationId, statementId, i + 1), packed: packed(entries), ...ttl },
          { ConditionExpression: notExists, guard: { once: 'pk' } },
        ),
      ),
    );
    await putTogether(
      { ...keys.bankStatement(applicationId, statementId), ...statement, ...listingOf(statement), ...ttl },
      { ConditionExpression: notExists, guard: { once: 'pk' } },
      audit,
    );
  },

  /** @returns undefined alike for a text that is no id, an expired statement and one of another application. */
  async get(applicationId: string, statementId: string, nowMs: number): Promise<BankStatement | undefined> {
    if (!isStatementId(statementId)) return undefined;
    const statement = await getRecord(keys.bankStatement(applicationId, statementId), readStatement);
    return statement === undefined || statement.createdAtMs + statementRetentionMs <= nowMs
      ? undefined
      : statement;
  },

  async part({ applicationId, statementId }: BankStatement, n: number): Promise<StatementPart> {
    const partKey = keys.bankStatementPart(applicationId, statementId, n);
    const items = await batchGetItems([partKey, keys.bankStatementResults(applicationId, statementId, n)]);
    const part = items.find(({ sk }) => sk === partKey.sk);
    if (part === undefined) throw new Error('A part of a statement is missing');
    const done = items.find(({ sk }) => sk !== partKey.sk);
    return {
      entries: unpacked(part),
      ...defined({ results: done && readResults(done).results }),
    };
  },

  /**
   * Keeps decisions that a person makes before the confirmation.
   *
   * @param statement with the number of changes that the person saw, and its earlier authors.
   * @returns false when another person made others meanwhile, or the statement is confirmed.
   */
  async keep(
    { applicationId, statementId, decisionsVersion, authors }: BankStatement,
    decisions: Decisions,
    { keyId, name }: Author,
  ): Promise<boolean> {
    const outcome = await updateItem(keys.bankStatement(applicationId, statementId), {
      UpdateExpression: 'SET decisions = :kept, authors = :authors, decisionsVersion = :next',
      ConditionExpression: `${exists} AND ${areAsRead} AND #status = :ready`,
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: {
        ':ready': 'ready',
        ':kept': decisions,
        ':authors': { ...authors, [keyId]: { keyId, name } },
        ':next': decisionsVersion + 1,
        ':version': decisionsVersion,
      },
      guard: { once: 'decisionsVersion' },
    });
    if (outcome.done) return true;
    return outcome.refused?.status === 'ready' && isDeepStrictEqual(outcome.refused.decisions, decisions);
  },

  /**
   * Confirms a statement once.
   *
   * @returns the statement as it is then: confirmed by this request or by another one; `ready` when decisions were kept after it
   * was read.
   */
  async confirm(
    { applicationId, statementId, decisions: kept, decisionsVersion }: BankStatement,
    decisions: Decisions,
    nowMs: number,
    audit: readonly Write[],
  ): Promise<BankStatement> {
    const update: GuardedUpdate = {
      UpdateExpression:
        'SET #status = :importing, decisions = :decisions, decisionsVersion = :next, confirmedAtMs = :now',
      ConditionExpression: `${exists} AND #status = :ready AND ${areAsRead}`,
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: {
        ':importing': 'importing',
        ':ready': 'ready',
        ':decisions': decisions,
        ':now': nowMs,
        ':next': areSame(kept, decisions) ? decisionsVersion : decisionsVersion + 1,
        ':version': decisionsVersion,
      },
      guard: { once: 'status' },
    };
    const outcome = await updateTogether(keys.bankStatement(applicationId, statementId), update, audit);
    const stored = outcome.done ? outcome.item : outcome.refused;
    if (stored === undefined) throw new Error('The statement has expired');
    return readStatement(stored);
  },

  /** Stores what came of a part, once. @returns the stored results: of this run, or of one that was first. */
  async putResults(
    statement: BankStatement,
    n: number,
    results: readonly EntryResult[],
  ): Promise<readonly EntryResult[]> {
    const { applicationId, statementId, createdAtMs } = statement;
    const key = keys.bankStatementResults(applicationId, statementId, n);
    const ttl = keys.timeToLive(createdAtMs + statementRetentionMs);
    const isWritten = await putItem(
      { ...key, results, ...ttl },
      { ConditionExpression: notExists, guard: { once: 'pk' } },
    );
    if (isWritten) return results;
    const stored = await getItem(key);
    if (stored === undefined) throw new Error('The results of a part were refused, and are missing');
    return readResults(stored).results;
  },

  /**
   * Counts a part that is done.
   *
   * @param statement as it is after the part.
   * @returns the statement, as this run or a concurrent one wrote it.
   */
  async advance(statement: BankStatement): Promise<BankStatement> {
    const { applicationId, statementId, partsDone, results, status, importedAtMs } = statement;
    const ended = importedAtMs === undefined ? '' : ', importedAtMs = :endedAt';
    const outcome = await updateItem(keys.bankStatement(applicationId, statementId), {
      UpdateExpression: `SET partsDone = :done, results = :results, #status = :status${ended}`,
      ConditionExpression: `${exists} AND partsDone = :before`,
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: {
        ':done': partsDone,
        ':before': partsDone - 1,
        ':results': results,
        ':status': status,
        ...defined({ ':endedAt': importedAtMs }),
      },
      guard: { once: 'partsDone' },
    });
    const stored = outcome.done ? outcome.item : outcome.refused;
    if (stored === undefined) throw new Error('The statement has expired');
    return readStatement(stored);
  },
};

/** Entries as one value: as a list of maps they are five times as large, and take DynamoDB and its client twenty times as long. */
const packed = (entries: readonly StoredEntry[]): Uint8Array => gzipSync(JSON.stringify(entries));

/** Statements of earlier releases have a list. */
const unpacked = (item: Item): readonly StoredEntry[] =>
  item.packed instanceof Uint8Array
    ? JSON.parse(gunzipSync(item.packed).toString())
    : readEntries(item).entries;

/** Whether decisions are the same, whoever made them. */
export const areSame = (some: Decisions, others: Decisions): boolean =>
  isDeepStrictEqual(withoutAuthors(some), withoutAuthors(others));

const withoutAuthors = (decisions: Decisions) =>
  Object.fromEntries(Object.entries(decisions).map(([n, { decision }]) => [n, decision]));

/** Divides entries into parts that fit an item. */
export function partsOf(entries: readonly StoredEntry[]): StoredEntry[][] {
  const parts: StoredEntry[][] = [];
  let part: StoredEntry[] = [];
  let bytes = 0;
  for (const entry of entries) {
    const size = Buffer.byteLength(JSON.stringify(entry));
    if (part.length === maxPartEntries || (part.length > 0 && bytes + size > maxPartBytes)) {
      parts.push(part);
      part = [];
      bytes = 0;
    }
    part.push(entry);
    bytes += size;
  }
  if (part.length > 0) parts.push(part);
  return parts;
}
