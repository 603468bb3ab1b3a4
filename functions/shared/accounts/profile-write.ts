/** Writes of a user's profile that change their access, each bound to the profile as it was read. */
import { defined } from '../contract/defined.ts';
import type { Key } from '../contract/keys.ts';
import { notExists, type Write } from '../table/table.ts';
import type { User } from './users.ts';

/**
 * A write of the profile on the condition that it is as it was read. A device verification writes the
 * profile's address without a revision, but only once: therefore the condition includes the address.
 */
export function profileWrite(
  current: User | undefined,
  key: Key,
  change: { set: string; values: Record<string, unknown> },
): Write {
  return {
    Update: {
      Key: key,
      UpdateExpression: `SET ${[change.set, 'revision = if_not_exists(revision, :zero) + :one'].filter(Boolean).join(', ')}`,
      ConditionExpression: profileCondition(current),
      ExpressionAttributeValues: {
        ':zero': 0,
        ':one': 1,
        ...defined({ ':currentEmail': current?.email, ':currentRevision': current?.revision }),
        ...change.values,
      },
    },
  };
}

/** The revision of a user after the write that is bound to `current`. */
export const nextRevision = (current: User | undefined): number => (current?.revision ?? 0) + 1;

function profileCondition(current: User | undefined): string {
  if (current === undefined) return notExists;
  const revision =
    current.revision === undefined ? 'attribute_not_exists(revision)' : 'revision = :currentRevision';
  return `email = :currentEmail AND ${revision}`;
}
