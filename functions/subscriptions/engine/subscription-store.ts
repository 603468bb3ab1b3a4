import type { Application } from '../../shared/accounts/applications.ts';
import { defined } from '../../shared/contract/defined.ts';
import { dueShards, keys, tableSchema } from '../../shared/contract/keys.ts';
import { isoTime } from '../../shared/runtime/clock.ts';
import type { IdempotentRequest } from '../../shared/table/idempotency.ts';
import { writeIdempotently } from '../../shared/table/idempotency.ts';
import { batchGetItems, type Item, transactWrite, type Write } from '../../shared/table/table.ts';
import type { Client } from '../clients/client.ts';
import type { Change, InvoiceUpdate } from '../lifecycle/decide.ts';
import { referenceCode } from '../lifecycle/reference-number.ts';
import { runningStatuses, type Subscription } from '../lifecycle/subscription.ts';
import { statesBefore } from '../lifecycle/transitions.ts';
import type { Plan } from '../plans/plan.ts';
import { subscriptionOf } from './subscription-queries.ts';

export type { Write };

/** The client as the engine sees it: which subscriptions are his, and how often that changed. */
export type ClientSubscriptions = Pick<Client, 'runningId' | 'pendingId' | 'trialUsedAtMs'>;

/** A change of a client's slots, bound to what was read; without `set` they only must not have changed. */
export interface ClientSubscriptionsChange {
  client: Client;
  set?: ClientSubscriptions;
}

const notExists = `attribute_not_exists(${tableSchema.partitionKey})`;
const outboxGraceMs = 300_000;

/** Subscriptions in the table: every write is one transaction, bound to what it was decided on. */
export const subscriptionStore = {
  /** A client and subscriptions of his, strongly consistent, in one round trip. */
  async getWithClient(
    applicationId: string,
    externalId: string,
    ids: readonly (string | undefined)[],
  ): Promise<{ client: Client | undefined; subscriptions: (Subscription | undefined)[] }> {
    const wanted = [...new Set(ids)].filter((id) => id !== undefined);
    const items = await batchGetItems([
      keys.client(applicationId, externalId),
      ...wanted.map((id) => keys.subscription(applicationId, externalId, id)),
    ]);
    const bySortKey = new Map(items.map((item) => [item.sk, item]));
    const { sk } = keys.client(applicationId, externalId);
    return {
      client: bySortKey.get(sk) as Client | undefined,
      subscriptions: ids.map((id) => {
        const item = id && bySortKey.get(keys.subscription(applicationId, externalId, id).sk);
        return item ? subscriptionOf(item) : undefined;
      }),
    };
  },

  /** What a new subscription is made of, in one round trip. */
  async getCreationInputs(
    applicationId: string,
    externalId: string,
    planId: string,
  ): Promise<{ client: Client | undefined; plan: Plan | undefined; application: Application | undefined }> {
    const wanted = [
      keys.client(applicationId, externalId),
      keys.plan(applicationId, planId),
      keys.application(applicationId),
    ];
    const items = await batchGetItems(wanted);
    const [client, plan, application] = wanted.map(({ pk, sk }) =>
      items.find((item) => item.pk === pk && item.sk === sk),
    );
    return {
      client: client as Client | undefined,
      plan: plan as unknown as Plan | undefined,
      application: application as Application | undefined,
    };
  },

  /** @returns false when somebody else was faster: nothing is written then. */
  async write(
    changes: readonly Change[],
    slots?: ClientSubscriptionsChange,
    also: readonly Write[] = [],
  ): Promise<boolean> {
    return transactWrite([
      ...changes.flatMap(writesOf),
      ...(slots === undefined ? [] : [clientSubscriptionsWrite(slots)]),
      ...also,
    ]);
  },

  /**
   * A new subscription, once for a key, with all that follows from it.
   *
   * @param beside a running subscription that was decided on: it must not have changed.
   * @returns the answer that holds; undefined when somebody else was faster, or the reference number is taken.
   */
  create<A extends object>(
    created: Change,
    {
      superseded,
      beside,
      client,
    }: { superseded: Change | undefined; beside: Subscription | undefined; client: Client },
    once: { request: IdempotentRequest | undefined; answer: A; nowMs: number },
  ): Promise<A | undefined> {
    const { next } = created;
    const { applicationId, externalId, subscriptionId, referenceNumber } = next;
    const owner = { applicationId, externalId, subscriptionId };
    const writes: Write[] = [
      ...writesOf(created),
      { Put: { Item: { ...keys.subscriptionOwner(subscriptionId), ...owner } } },
      {
        Put: {
          Item: { ...keys.reference(referenceCode(referenceNumber)), ...owner },
          ConditionExpression: notExists,
        },
      },
      ...(superseded === undefined ? [] : writesOf(superseded)),
      ...(beside === undefined ? [] : [revisionUnchanged(beside)]),
      clientSubscriptionsWrite({ client, set: slotsWith(created, client) }),
    ];
    return writeIdempotently(once.request, writes, once.answer, once.nowMs);
  },
};

/** A trial runs at once; another one waits, beside what runs. */
function slotsWith({ next }: Change, { runningId, trialUsedAtMs }: Client): ClientSubscriptions {
  if (next.status === 'trialing') return { runningId: next.subscriptionId, trialUsedAtMs: next.createdAtMs };
  return {
    pendingId: next.subscriptionId,
    ...defined({ runningId, trialUsedAtMs }),
  };
}

/**
 * Rising by status: the last one of a client's is the running one, or the newest. One that is pending is the newest, whatever its
 * id says: ids are by the clocks of functions, and those differ.
 */
function statusPosition({ status, subscriptionId }: Subscription): string {
  if (runningStatuses.includes(status)) return `2#${subscriptionId}`;
  return status === 'pending' ? `1#${subscriptionId}` : `0#${subscriptionId}`;
}

const shardOf = (id: string) => (id.codePointAt(id.length - 1) ?? 0) % dueShards;

function itemOf(subscription: Subscription): Item {
  const { applicationId, externalId, subscriptionId, timer } = subscription;
  return {
    ...keys.subscription(applicationId, externalId, subscriptionId),
    ...subscription,
    statusPosition: statusPosition(subscription),
    ...(timer && { due: keys.timers(shardOf(subscriptionId)), dueAt: isoTime(timer.dueAtMs) }),
  };
}

function writesOf(change: Change): Write[] {
  const { event, previous: seen, next, issued, updated, outbox, entry } = change;
  const { applicationId, externalId, subscriptionId } = next;
  const condition =
    seen === undefined ? { ConditionExpression: notExists } : inStateAtRevision(statesBefore(event), seen);
  return [
    { Put: { Item: itemOf(next), ...condition } },
    ...issued.flatMap((invoice): Write[] => [
      {
        Put: {
          Item: { ...keys.invoice(subscriptionId, invoice.n), ...invoice },
          // Numbers have no gaps and no doubles.
          ConditionExpression: notExists,
        },
      },
      {
        Put: {
          Item: {
            ...keys.invoiceOwner(invoice.invoiceId),
            applicationId,
            externalId,
            subscriptionId,
            n: invoice.n,
          },
        },
      },
    ]),
    ...updated.map((fields): Write => ({ Update: invoiceUpdate(subscriptionId, fields) })),
    { Put: { Item: { ...keys.timelineEntry(subscriptionId, entry.revision), ...entry } } },
    ...outbox.map(
      (entry): Write => ({
        Put: {
          Item: {
            ...keys.outbox(subscriptionId, entry.entryId),
            ...entry,
            due: keys.outboxes(shardOf(subscriptionId)),
            // Whoever wrote it sees to it at once; the timer finds what was left undone.
            dueAt: isoTime(entry.createdAtMs + outboxGraceMs),
          },
          ConditionExpression: notExists,
        },
      }),
    ),
  ];
}

/** The states that the lifecycle allows, and the write that was decided on. */
function inStateAtRevision(states: readonly string[], { revision }: Subscription) {
  const names = states.map((_, i) => `:state${i}`);
  return {
    ConditionExpression: `#revision = :seen AND #status IN (${names.join(', ')})`,
    ExpressionAttributeNames: { '#revision': 'revision', '#status': 'status' },
    ExpressionAttributeValues: {
      ':seen': revision,
      ...Object.fromEntries(states.map((state, i) => [`:state${i}`, state])),
    },
  };
}

function revisionUnchanged(subscription: Subscription): Write {
  const { applicationId, externalId, subscriptionId, status } = subscription;
  return {
    ConditionCheck: {
      Key: keys.subscription(applicationId, externalId, subscriptionId),
      ...inStateAtRevision([status], subscription),
    },
  };
}

function invoiceUpdate(subscriptionId: string, { n, ...fields }: InvoiceUpdate) {
  const set = Object.entries(fields).filter(([, value]) => value !== undefined);
  return {
    Key: keys.invoice(subscriptionId, n),
    UpdateExpression: `SET ${set.map((_, i) => `#field${i} = :value${i}`).join(', ')}`,
    ConditionExpression: `attribute_exists(${tableSchema.partitionKey})`,
    ExpressionAttributeNames: Object.fromEntries(set.map(([name], i) => [`#field${i}`, name])),
    ExpressionAttributeValues: Object.fromEntries(set.map(([, value], i) => [`:value${i}`, value])),
  };
}

const clientSubscriptionFields = ['runningId', 'pendingId', 'trialUsedAtMs'] as const;

function clientSubscriptionsWrite({ client, set }: ClientSubscriptionsChange): Write {
  const Key = keys.client(client.applicationId, client.externalId);
  const { revision } = client;
  const same = {
    ConditionExpression:
      revision === undefined
        ? `attribute_exists(${tableSchema.partitionKey}) AND attribute_not_exists(#revision)`
        : '#revision = :seen',
    ExpressionAttributeNames: { '#revision': 'revision' } as Record<string, string>,
    ...(revision !== undefined && {
      ExpressionAttributeValues: { ':seen': revision } as Record<string, unknown>,
    }),
  };
  if (set === undefined) return { ConditionCheck: { Key, ...same } };
  const given = clientSubscriptionFields.filter((name) => set[name] !== undefined);
  const gone = clientSubscriptionFields.filter((name) => set[name] === undefined);
  return {
    Update: {
      Key,
      UpdateExpression: [
        `SET ${['#revision = :next', ...given.map((name) => `#${name} = :${name}`)].join(', ')}`,
        ...(gone.length > 0 ? [`REMOVE ${gone.map((name) => `#${name}`).join(', ')}`] : []),
      ].join(' '),
      ConditionExpression: same.ConditionExpression,
      ExpressionAttributeNames: {
        ...same.ExpressionAttributeNames,
        ...Object.fromEntries(clientSubscriptionFields.map((name) => [`#${name}`, name])),
      },
      ExpressionAttributeValues: {
        ...same.ExpressionAttributeValues,
        ':next': (revision ?? 0) + 1,
        ...Object.fromEntries(given.map((name) => [`:${name}`, set[name]])),
      },
    },
  };
}
