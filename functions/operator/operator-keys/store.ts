import { ApiError } from '../../shared/contract/errors.ts';
import * as keys from '../../shared/contract/keys.ts';
import {
  type NewOperatorKey,
  type OperatorKey,
  operatorKeyItems,
  operatorKeyRevoked,
} from '../../shared/contract/operator-key.ts';
import type { Operator } from '../../shared/contract/operator-scopes.ts';
import { type IdempotentRequest, writeIdempotently } from '../../shared/table/idempotency.ts';
import { queryItems } from '../../shared/table/query.ts';
import { getRecord, recordReader } from '../../shared/table/record.ts';
import { exists, notExists, transactWrite } from '../../shared/table/table.ts';

const readOperatorKey = recordReader<OperatorKey>(['keyId', 'scopes']);

export const operatorKeyStore = {
  /**
   * Stores a key and its audit record, all or nothing.
   *
   * @returns the id of the key of this request, or of the one that it repeats.
   * @throws ApiError `idempotency_mismatch`, `idempotency_in_progress`
   */
  async create(
    { key, secret, by }: { key: NewOperatorKey; secret: string; by: Operator },
    request: IdempotentRequest | undefined,
  ): Promise<{ keyId: string }> {
    const { keyId, createdAtMs } = key;
    const items = operatorKeyItems(key, secret, by);
    const writes = items.map((Item) => ({ Put: { Item, ConditionExpression: notExists } }));
    const created = await writeIdempotently(request, writes, { keyId }, createdAtMs);
    if (created === undefined) throw new ApiError('conflict');
    return created;
  },

  async list(): Promise<OperatorKey[]> {
    return (await queryItems(keys.operatorKeyPartition())).map(readOperatorKey);
  },

  get(keyId: string): Promise<OperatorKey | undefined> {
    return getRecord(keys.operatorKey(keyId), readOperatorKey);
  },

  /**
   * Removes a key with its secret, and adds the audit record, all or nothing.
   *
   * @returns false when it was revoked before; nothing is written then.
   */
  revoke({ keyId, hash }: OperatorKey, nowMs: number, by: Operator): Promise<boolean> {
    return transactWrite([
      { Delete: { Key: keys.operatorKey(keyId), ConditionExpression: exists } },
      { Delete: { Key: keys.secret('operator_key', hash) } },
      { Put: { Item: operatorKeyRevoked(keyId, nowMs, by), ConditionExpression: notExists } },
    ]);
  },
};
