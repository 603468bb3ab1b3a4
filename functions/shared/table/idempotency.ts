/**
 * Requests that are carried out once, however often they are sent: `Idempotency-Key`.
 * https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/
 *
 * What a request stored and the answer it got are written in one transaction, so there is no moment at which one
 * exists without the other, and nothing to clean up after a crash. The record keeps what the answer cannot be made
 * of otherwise: the same key needs the same request, so ids and times are enough.
 */
import { createHash } from 'node:crypto';
import { ApiError } from '../contract/errors.ts';
import { keys, tableSchema } from '../contract/keys.ts';
import { getItem, isTransactionConflict, transactWrite, type Write } from './table.ts';

const retentionMs = 24 * 3_600_000;

/** One request under a key. */
export interface IdempotentRequest {
  /** Whose keys these are: the application. */
  owner: string;
  key: string;
  /** What must be the same for the answer to be the same. */
  fingerprint: string;
}

/**
 * A request under its key; undefined without one.
 *
 * @param request `body` as the schema read it: unknown fields and the order of fields make no difference.
 */
export function idempotentRequest(
  owner: string,
  key: string | undefined,
  request: { method: string; path: string; userId?: string; body: unknown },
): IdempotentRequest | undefined {
  if (key === undefined) return undefined;
  const { method, path, userId = '', body } = request;
  const text = JSON.stringify([method, path, userId, body]);
  return { owner, key, fingerprint: createHash('sha256').update(text).digest('base64url') };
}

/**
 * What the first request under this key was answered; undefined when there was none in the last 24 hours.
 * @throws ApiError `idempotency_mismatch` when that was another request.
 */
export async function storedResponse<A>(
  request: IdempotentRequest | undefined,
  nowMs: number,
): Promise<A | undefined> {
  if (request === undefined) return undefined;
  const record = await getItem(keys.idempotency(request.owner, request.key));
  if (record === undefined || Number(record.expiresAtMs) <= nowMs) return undefined;
  if (record.fingerprint !== request.fingerprint) throw new ApiError('idempotency_mismatch');
  return record.answer as A;
}

/**
 * Carries out `writes` and records `answer`, all or nothing; of any number of equal requests at once one does.
 *
 * @param writes up to 99.
 * @returns the answer that holds: this one, or that of whoever was faster; undefined when a condition of the
 * writes was not met.
 * @throws ApiError `idempotency_mismatch`; `idempotency_in_progress` when another request under the key has not come
 * to an end yet.
 */
export async function writeIdempotently<A extends object>(
  request: IdempotentRequest | undefined,
  writes: Write[],
  answer: A,
  nowMs: number,
): Promise<A | undefined> {
  if (request === undefined) return (await transactWrite(writes)) ? answer : undefined;
  try {
    if (await transactWrite([...writes, recording(request, answer, nowMs)])) return answer;
  } catch (error) {
    if (isTransactionConflict(error)) throw new ApiError('idempotency_in_progress');
    throw error;
  }
  return storedResponse<A>(request, nowMs);
}

function recording({ owner, key, fingerprint }: IdempotentRequest, answer: object, nowMs: number): Write {
  const expiresAtMs = nowMs + retentionMs;
  return {
    Put: {
      Item: {
        ...keys.idempotency(owner, key),
        fingerprint,
        answer,
        expiresAtMs,
        [tableSchema.timeToLive]: Math.ceil(expiresAtMs / 1000),
      },
      // The table deletes what has expired up to two days late.
      ConditionExpression: `attribute_not_exists(${tableSchema.partitionKey}) OR expiresAtMs <= :now`,
      ExpressionAttributeValues: { ':now': nowMs },
    },
  };
}
