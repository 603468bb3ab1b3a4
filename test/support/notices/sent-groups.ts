/**
 * Which groups of events this process has sent to the table, by application. The table has no index of them by
 * application: to find those of one, a test would read the events of every test before it.
 */

import * as keys from '../../../functions/shared/contract/keys.ts';
import { dynamodb } from '../../../functions/shared/table/client.ts';

const sent = new Map<unknown, Set<string>>();
const { pk: anyGroup } = keys.events('');

dynamodb.middlewareStack.add(
  (next) => (args) => {
    const { TransactItems = [] } = args.input as {
      TransactItems?: { Put?: { Item: { pk: string; applicationId: unknown; groupId: string } } }[];
    };
    for (const { Put } of TransactItems) {
      if (Put === undefined || !Put.Item.pk.startsWith(anyGroup)) continue;
      const { applicationId, groupId } = Put.Item;
      const groups = sent.get(applicationId) ?? new Set();
      sent.set(applicationId, groups.add(groupId));
    }
    return next(args);
  },
  { step: 'initialize', name: 'sent-groups' },
);

/** The ids of an application's groups, also of those whose transaction failed. */
export const sentGroups = (applicationId: string): readonly string[] => [...(sent.get(applicationId) ?? [])];
