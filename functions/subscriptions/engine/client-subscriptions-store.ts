import { defined } from '../../shared/contract/defined.ts';
import { keys } from '../../shared/contract/keys.ts';
import { exists, type Write } from '../../shared/table/table.ts';
import type { Client } from '../clients/client.ts';

/** The part of a client that transitions write: its running and its pending subscription, and its trial. */
export type ClientSubscriptions = Pick<Client, 'runningId' | 'pendingId' | 'trialUsedAtMs'>;

/**
 * A change of {@link ClientSubscriptions}, conditioned on the client as read. Without `set`, only the
 * condition.
 */
export interface ClientSubscriptionsChange {
  client: Client;
  set?: ClientSubscriptions;
}

const clientSubscriptionFields = ['runningId', 'pendingId', 'trialUsedAtMs'] as const;

/** The write of a change of a client, or of its condition alone. */
export function clientSubscriptionsWrite({ client, set }: ClientSubscriptionsChange): Write {
  const Key = keys.client(client.applicationId, client.externalId);
  const { revision } = client;
  const isAsRead = {
    ConditionExpression:
      revision === undefined ? `${exists} AND attribute_not_exists(#revision)` : '#revision = :revision',
    ExpressionAttributeNames: { '#revision': 'revision' } as Record<string, string>,
    ...defined({
      ExpressionAttributeValues: revision === undefined ? undefined : { ':revision': revision },
    }),
  };
  if (set === undefined) return { ConditionCheck: { Key, ...isAsRead } };
  const setFields = clientSubscriptionFields.filter((name) => set[name] !== undefined);
  const removedFields = clientSubscriptionFields.filter((name) => set[name] === undefined);
  return {
    Update: {
      Key,
      UpdateExpression: [
        `SET ${['#revision = :next', ...setFields.map((name) => `#${name} = :${name}`)].join(', ')}`,
        ...(removedFields.length > 0 ? [`REMOVE ${removedFields.map((name) => `#${name}`).join(', ')}`] : []),
      ].join(' '),
      ConditionExpression: isAsRead.ConditionExpression,
      ExpressionAttributeNames: {
        ...isAsRead.ExpressionAttributeNames,
        ...Object.fromEntries(clientSubscriptionFields.map((name) => [`#${name}`, name])),
      },
      ExpressionAttributeValues: {
        ...isAsRead.ExpressionAttributeValues,
        ':next': (revision ?? 0) + 1,
        ...Object.fromEntries(setFields.map((name) => [`:${name}`, set[name]])),
      },
    },
  };
}
