/**
 * Idempotent requests: `Idempotency-Key`.
 * https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/
 *
 * The writes of a request and its response are stored in one transaction, so that neither exists without the
 * other and a crash leaves nothing to clean up. The record stores only what cannot be rebuilt from the
 * repeated request, such as ids and times.
 */

import { createHash } from 'node:crypto';
import type * as z from 'zod/mini';
import { ApiError } from '../contract/errors.ts';
import * as keys from '../contract/keys.ts';
import type { IdempotencyHeaders } from '../fields/idempotency-key.ts';
import { hourMs } from '../runtime/clock.ts';
import { getItem, isTransactionConflict, notExists, transactWrite, type Write } from './table.ts';

const retentionMs = 24 * hourMs;

export interface IdempotentRequest {
  /** The application in whose scope the key is unique. */
  owner: string;
  key: string;
  /** Hash of the request. A repeated request must match it. */
  fingerprint: string;
}

/**
 * A request with its key; undefined without a key.
 *
 * @param body as parsed by the schema, so that unknown fields and the order of fields make no difference.
 */
export function idempotentRequest(
  owner: string,
  { 'idempotency-key': key }: z.output<typeof IdempotencyHeaders>,
  { method, path }: { method: string; path: string },
  body: unknown,
  userId = '',
): IdempotentRequest | undefined {
  if (key === undefined) return undefined;
  const text = JSON.stringify([method, path, userId, body]);
  return { owner, key, fingerprint: createHash('sha256').update(text).digest('base64url') };
}

/**
 * The response to the first request with this key; undefined when there was none in the last 24 hours.
 * @throws ApiError `idempotency_mismatch` when the first request was a different one.
 */
export async function storedResponse<R>(
  request: IdempotentRequest | undefined,
  nowMs: number,
): Promise<R | undefined> {
  if (request === undefined) return undefined;
  const record = await getItem(keys.idempotency(request.owner, request.key));
  if (record === undefined || Number(record.expiresAtMs) <= nowMs) return undefined;
  if (record.fingerprint !== request.fingerprint) throw new ApiError('idempotency_mismatch');
  return record.response as R;
}

/**
 * Executes `writes` and stores `response`, all or nothing. Of any number of concurrent equal requests, one succeeds.
 *
 * @param writes up to 99.
 * @returns the stored response, of this request or of a concurrent one; undefined when a condition of the writes was
 *   not met.
 * @throws ApiError `idempotency_mismatch`; `idempotency_in_progress` when another request with the key is not complete.
 */
export async function writeIdempotently<R extends object>(
  request: IdempotentRequest | undefined,
  writes: Write[],
  response: R,
  nowMs: number,
): Promise<R | undefined> {
  if (request === undefined) return (await transactWrite(writes)) ? response : undefined;
  try {
    if (await transactWrite([...writes, responseWrite(request, response, nowMs)])) return response;
  } catch (error) {
    if (isTransactionConflict(error)) throw new ApiError('idempotency_in_progress');
    throw error;
  }
  return storedResponse<R>(request, nowMs);
}

/**
 * The refusal of a repeated request whose first response had a secret, which is stored nowhere.
 *
 * @param kind of what the first request created: `key`.
 * @param remedy for a client that did not get the first response: `create another one`.
 */
export const createdBefore = (kind: string, id: string, remedy: string): ApiError =>
  new ApiError('conflict', {
    details: {
      [kind]: `${id} was created by the first request, whose response had its secret; without that response, ${remedy}`,
    },
  });

/** The write that stores the response to a request, for a transaction that is written elsewhere; none without a key. */
export const responseWrites = (
  request: IdempotentRequest | undefined,
  response: object,
  nowMs: number,
): Write[] => (request === undefined ? [] : [responseWrite(request, response, nowMs)]);

/** The write that stores the response to a request under its key, for a transaction that is written elsewhere. */
export function responseWrite(
  { owner, key, fingerprint }: IdempotentRequest,
  response: object,
  nowMs: number,
): Write {
  const expiresAtMs = nowMs + retentionMs;
  return {
    Put: {
      Item: {
        ...keys.idempotency(owner, key),
        fingerprint,
        response,
        expiresAtMs,
        ...keys.timeToLive(expiresAtMs),
      },
      // DynamoDB deletes expired items up to two days late.
      ConditionExpression: `${notExists} OR expiresAtMs <= :now`,
      ExpressionAttributeValues: { ':now': nowMs },
    },
  };
}
