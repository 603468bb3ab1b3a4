import type { Client } from '../../clients/client.ts';
import { creditAfter, type Entry, movesCredit } from '../../ledger/entry.ts';
import { defined } from '../../shared/contract/defined.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import * as keys from '../../shared/contract/keys.ts';
import { exists, type Write } from '../../shared/table/table.ts';
import type { Change } from '../machine/decide.ts';

/** The part of a client that transitions write: its running and its pending subscription, and its trial. */
export type ClientSubscriptions = Pick<Client, 'runningId' | 'pendingId' | 'trialUsedAtMs'>;

/** A change of {@link ClientSubscriptions}, conditioned on the client as read. Without `set`, only the condition. */
export interface ClientSubscriptionsChange {
  client: Client;
  set?: ClientSubscriptions;
  entries?: readonly Entry[];
}

/**
 * The change of a client that belongs to changes of subscriptions: it moves the credit, and does what `change` says.
 *
 * @returns undefined when there is nothing to write or to condition on.
 */
export function withCredits(
  client: Client,
  changes: readonly Pick<Change, 'books'>[],
  change?: ClientSubscriptionsChange,
): ClientSubscriptionsChange | undefined {
  const entries = changes.flatMap(({ books }) => books.filter(movesCredit));
  return entries.length === 0 ? change : { client, ...change, entries };
}

export function clientAfter(client: Client, change: ClientSubscriptionsChange | undefined): Client {
  if (change === undefined || (change.set === undefined && change.entries === undefined)) return client;
  const { runningId, pendingId, trialUsedAtMs, credit: _, ...rest } = client;
  const set = change.set ?? defined({ runningId, pendingId, trialUsedAtMs });
  return {
    ...rest,
    ...set,
    ...defined({ credit: newCredit(change) }),
    revision: (client.revision ?? 0) + 1,
  };
}

/**
 * The credit by currency; undefined without any.
 *
 * @throws ApiError `invalid_request` for more minor units than a number holds exactly: the money could not be counted.
 */
function newCredit({ client, entries = [] }: ClientSubscriptionsChange): Client['credit'] {
  const sums = Object.entries(creditAfter(client.credit ?? {}, entries));
  if (!sums.every(([, amountMinor]) => Number.isSafeInteger(amountMinor)))
    throw new ApiError('invalid_request', { details: { amount: 'is more credit than a client can have' } });
  const left = sums.filter(([, amountMinor]) => amountMinor !== 0);
  return left.length === 0 ? undefined : Object.fromEntries(left);
}

const revisionName: Readonly<Record<string, string>> = { '#revision': 'revision' };

const clientSubscriptionFields = ['runningId', 'pendingId', 'trialUsedAtMs'] as const;

/** The write of a change of a client, or of its condition alone. */
export function clientSubscriptionsWrite(change: ClientSubscriptionsChange): Write {
  const { client, set, entries } = change;
  const Key = keys.client(client.applicationId, client.externalId);
  const { revision } = client;
  const isAsRead = {
    ConditionExpression:
      revision === undefined ? `${exists} AND attribute_not_exists(#revision)` : '#revision = :revision',
    ExpressionAttributeNames: revisionName,
    ...defined({
      ExpressionAttributeValues: revision === undefined ? undefined : { ':revision': revision },
    }),
  };
  if (set === undefined && entries === undefined) return { ConditionCheck: { Key, ...isAsRead } };
  const fields: Partial<Record<string, unknown>> = {
    ...Object.fromEntries(set === undefined ? [] : clientSubscriptionFields.map((name) => [name, set[name]])),
    ...Object.fromEntries(entries === undefined ? [] : [['credit', newCredit(change)]]),
  };
  const names = Object.keys(fields);
  const setNames = names.filter((name) => fields[name] !== undefined);
  const removed = names.filter((name) => fields[name] === undefined);
  return {
    Update: {
      Key,
      UpdateExpression: [
        `SET ${['#revision = :next', ...setNames.map((name) => `#${name} = :${name}`)].join(', ')}`,
        ...(removed.length > 0 ? [`REMOVE ${removed.map((name) => `#${name}`).join(', ')}`] : []),
      ].join(' '),
      ConditionExpression: isAsRead.ConditionExpression,
      ExpressionAttributeNames: {
        ...isAsRead.ExpressionAttributeNames,
        ...Object.fromEntries(names.map((name) => [`#${name}`, name])),
      },
      ExpressionAttributeValues: {
        ...isAsRead.ExpressionAttributeValues,
        ':next': (revision ?? 0) + 1,
        ...Object.fromEntries(setNames.map((name) => [`:${name}`, fields[name]])),
      },
    },
  };
}
