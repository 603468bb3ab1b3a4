import type { ApplicationCaller } from '../../shared/contract/callers.ts';
import * as keys from '../../shared/contract/keys.ts';
import { eventWrites } from '../../shared/events/events-write.ts';
import { type IdempotentRequest, writeIdempotently } from '../../shared/table/idempotency.ts';
import { queryItems } from '../../shared/table/query.ts';
import { getRecord, recordReader } from '../../shared/table/record.ts';
import {
  exists,
  type GuardedUpdate,
  notExists,
  transactWrite,
  type Write,
} from '../../shared/table/table.ts';
import { updateTogether } from '../../shared/table/together.ts';
import { toWebhookResponse } from './schema.ts';
import { isWebhookId, manages, maxWebhooks, rotated, type SigningSecret, type Webhook } from './webhook.ts';

/** The record from which a repeated creation or rotation is answered: the names of the records, never the secret. */
export interface StoredSecretResponse {
  webhookId: string;
  secretId: string;
}

interface StoredSecrets {
  secrets: readonly SigningSecret[];
  revision: number;
}

export const readWebhook = recordReader<Webhook>(['webhookId', 'revision'], ['pk', 'sk', 'writtenBy']);
const readStoredSecrets = recordReader<StoredSecrets>(['secrets', 'revision']);

export const webhookStore = {
  /** The webhooks of an application, at most ten of each kind of key, oldest first. Strongly consistent. */
  async listOf(applicationId: string): Promise<Webhook[]> {
    return (await queryItems(keys.webhookPartition(applicationId), 'whk_')).map(readWebhook);
  },

  /** @returns undefined alike for a text that is no id, an unknown webhook and one of another application. */
  async get(applicationId: string, webhookId: string): Promise<Webhook | undefined> {
    if (!isWebhookId(webhookId)) return undefined;
    return getRecord(keys.webhook(applicationId, webhookId), readWebhook);
  },

  /** A webhook that the caller manages. @returns undefined for one of the other kind of key too. */
  async find(caller: ApplicationCaller, webhookId: string): Promise<Webhook | undefined> {
    const webhook = await webhookStore.get(caller.applicationId, webhookId);
    return webhook !== undefined && manages(caller, webhook) ? webhook : undefined;
  },

  /** All stored secrets of a webhook, the present one first. {@link activeSecrets} are those that sign. */
  async secretsOf(webhookId: string): Promise<SigningSecret[]> {
    return [...((await readSecrets(webhookId))?.secrets ?? [])];
  },

  /**
   * Stores a webhook and its first secret, all or nothing, and at most ten webhooks of one kind of key.
   *
   * @returns the names of the records, of this request or of the one that it repeats; undefined when the key has
   * ten webhooks.
   * @throws ApiError as {@link writeIdempotently}
   */
  create(
    webhook: Webhook,
    secret: SigningSecret,
    request: IdempotentRequest | undefined,
    audit: readonly Write[] = [],
  ): Promise<StoredSecretResponse | undefined> {
    const { applicationId, webhookId, keyKind, createdAtMs } = webhook;
    const secrets: StoredSecrets = { secrets: [secret], revision: 1 };
    const writes: Write[] = [
      {
        Put: {
          Item: { ...keys.webhook(applicationId, webhookId), ...webhook },
          ConditionExpression: notExists,
        },
      },
      { Put: { Item: { ...keys.webhookSecrets(webhookId), ...secrets }, ConditionExpression: notExists } },
      {
        Update: {
          Key: keys.webhookIds(applicationId),
          UpdateExpression: 'ADD #ids :id',
          ConditionExpression: 'attribute_not_exists(#ids) OR size(#ids) < :max',
          ExpressionAttributeNames: { '#ids': keyKind },
          ExpressionAttributeValues: { ':id': new Set([webhookId]), ':max': maxWebhooks },
        },
      },
      ...audit,
    ];
    return writeIdempotently(request, writes, { webhookId, secretId: secret.secretId }, createdAtMs);
  },

  /**
   * Updates what a caller can change of a webhook that still has the revision that was read.
   *
   * @param webhook as it is after the change.
   * @param read as it was read.
   * @param writeId random, so that a resent write is recognized.
   * @returns the updated webhook; undefined after a concurrent change, or when it was removed.
   */
  async update(
    webhook: Webhook,
    read: Webhook,
    writeId: string,
    audit: readonly Write[] = [],
  ): Promise<Webhook | undefined> {
    const { url, types, description, isActive, updatedAtMs } = webhook;
    const fields = { url, types, description, isActive, updatedAtMs, writtenBy: writeId };
    // A new address has not failed, and neither has one that is enabled again.
    const isAnew = url !== read.url || (isActive && !read.isActive);
    const removed = [...(isAnew ? ['failingSinceMs'] : []), ...(isActive ? ['disabled'] : [])];
    const set = Object.keys(fields).map((name) => `#${name} = :${name}`);
    const ended = isAnew ? [...set, 'failuresEndedMs = :updatedAtMs'] : set;
    const removal = removed.length > 0 ? ` REMOVE ${removed.join(', ')}` : '';
    const update: GuardedUpdate = {
      UpdateExpression: `SET revision = revision + :one, ${ended.join(', ')}${removal}`,
      ConditionExpression: `${exists} AND revision = :readRevision`,
      ExpressionAttributeValues: {
        ':one': 1,
        ':readRevision': read.revision,
        ...Object.fromEntries(Object.entries(fields).map(([name, value]) => [`:${name}`, value])),
      },
      guard: { once: 'revision' },
      isOwn: (stored) => stored.writtenBy === writeId,
    };
    const key = keys.webhook(webhook.applicationId, webhook.webhookId);
    const outcome = await updateTogether(key, update, audit);
    return outcome.done ? readWebhook(outcome.item) : undefined;
  },

  /** Removes a webhook and its secrets. @returns false when the caller manages no such webhook. */
  async remove(
    { applicationId, by }: ApplicationCaller,
    webhookId: string,
    audit: readonly Write[] = [],
  ): Promise<boolean> {
    if (!isWebhookId(webhookId)) return false;
    const managed =
      by === 'operator'
        ? { ConditionExpression: exists }
        : { ConditionExpression: 'keyKind = :by', ExpressionAttributeValues: { ':by': by } };
    return transactWrite([
      { Delete: Object.assign({ Key: keys.webhook(applicationId, webhookId) }, managed) },
      { Delete: { Key: keys.webhookSecrets(webhookId) } },
      {
        Update: {
          Key: keys.webhookIds(applicationId),
          UpdateExpression: 'DELETE api_key :id, client_secret :id',
          ExpressionAttributeValues: { ':id': new Set([webhookId]) },
        },
      },
      ...audit,
    ]);
  },

  /**
   * Makes a secret the present one. The one before signs for 24 hours more. The webhook says since when.
   *
   * @returns the names of the records, of this request or of the one that it repeats; undefined after a concurrent
   * rotation, or when the webhook was removed.
   * @throws ApiError as {@link writeIdempotently}
   */
  async rotate(
    { applicationId, webhookId }: Pick<Webhook, 'applicationId' | 'webhookId'>,
    secret: SigningSecret,
    request: IdempotentRequest | undefined,
    audit: readonly Write[] = [],
  ): Promise<StoredSecretResponse | undefined> {
    const { secrets, revision } = (await readSecrets(webhookId)) ?? { secrets: [], revision: 0 };
    const update: Write = {
      Update: {
        Key: keys.webhookSecrets(webhookId),
        UpdateExpression: 'SET secrets = :secrets, revision = revision + :one',
        ConditionExpression: `${exists} AND revision = :revision`,
        ExpressionAttributeValues: { ':secrets': rotated(secrets, secret), ':one': 1, ':revision': revision },
      },
    };
    const note: Write = {
      Update: {
        Key: keys.webhook(applicationId, webhookId),
        UpdateExpression: 'SET secretSinceMs = :now',
        ConditionExpression: exists,
        ExpressionAttributeValues: { ':now': secret.createdAtMs },
      },
    };
    const response = { webhookId, secretId: secret.secretId };
    return writeIdempotently(request, [update, note, ...audit], response, secret.createdAtMs);
  },

  /**
   * Records a test event, which only this webhook receives, on the condition that the webhook is as it was read.
   *
   * @returns the id of the group of events; undefined after a concurrent change.
   */
  async recordTest(
    webhook: Webhook,
    nowMs: number,
    others: (groupId: string) => readonly Write[],
  ): Promise<string | undefined> {
    const { applicationId, webhookId, keyKind, eventCount } = webhook;
    const sequence = eventCount + 1;
    const data = toWebhookResponse(webhook);
    const writes = eventWrites({ applicationId, nowMs, audience: { keyKind, webhookId } }, [
      { type: 'webhook.test', sequence, data },
    ]);
    const count: Write = {
      Update: {
        Key: keys.webhook(applicationId, webhookId),
        UpdateExpression: 'SET eventCount = :sequence',
        ConditionExpression: asRead,
        ExpressionAttributeValues: { ...readValues(webhook), ':sequence': sequence },
      },
    };
    const [id = ''] = writes.map(({ Put }) => String(Put.Item.groupId));
    return (await transactWrite([count, ...writes, ...others(id)])) ? id : undefined;
  },
};

/** The condition that a webhook is as it was read. A test event counts, and is no change of the webhook. */
export const asRead = `${exists} AND revision = :revision AND eventCount = :eventCount`;
export const readValues = ({ revision, eventCount }: Webhook) => ({
  ':revision': revision,
  ':eventCount': eventCount,
});

const readSecrets = (webhookId: string) => getRecord(keys.webhookSecrets(webhookId), readStoredSecrets);
