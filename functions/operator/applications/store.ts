import { type Application, type ApplicationKey, getApplication } from '../../shared/accounts/applications.ts';
import { defined } from '../../shared/contract/defined.ts';
import { keys } from '../../shared/contract/keys.ts';
import { isUnexpired, type SecretRecord } from '../../shared/contract/secret.ts';
import { timeToLive } from '../../shared/contract/time-to-live.ts';
import { updateNewest } from '../../shared/table/newest-update.ts';
import { exists, notExists, transactWrite, type Write } from '../../shared/table/table.ts';
import type { NewKey } from './keys.ts';

/** Applications and their keys in the table. */
export const applicationStore = {
  /** Stores an application and its first keys, all or nothing. */
  async create(application: Application): Promise<void> {
    const newKeys = Object.entries(application.keys).map(([keyId, key]) => ({ keyId, key }));
    await transactWrite([
      { Put: { Item: application, ConditionExpression: notExists } },
      ...newKeys.map((key) => secretWrite(application.applicationId, key)),
    ]);
  },

  get: getApplication,

  /**
   * Replaces the fields of `change` that have a value.
   *
   * @param write `writeId` is random.
   * @returns the updated application; undefined when it does not exist.
   */
  async update(
    applicationId: string,
    change: Partial<Pick<Application, 'name' | 'redirectUris' | 'settings'>>,
    write: { nowMs: number; writeId: string },
  ): Promise<Application | undefined> {
    const fields = Object.entries(change).filter(([, value]) => value !== undefined);
    const names = Object.fromEntries(fields.map(([name]) => [`#${name}`, name]));
    const order = { timeAttribute: 'updatedAtMs', idAttribute: 'writtenBy' };
    const outcome = await updateNewest(keys.application(applicationId), order, write, (atMs) => ({
      UpdateExpression: [
        'SET revision = revision + :one, updatedAtMs = :now, writtenBy = :writeId',
        ...fields.map(([name]) => `#${name} = :${name}`),
      ].join(', '),
      ConditionExpression: exists,
      ...defined({ ExpressionAttributeNames: fields.length > 0 ? names : undefined }),
      ExpressionAttributeValues: {
        ':one': 1,
        ':now': atMs,
        ':writeId': write.writeId,
        ...Object.fromEntries(fields.map(([name, value]) => [`:${name}`, value])),
      },
    }));
    return outcome.done ? (outcome.item as Application) : undefined;
  },

  /**
   * Adds a key and removes expired ones, in one transaction on the condition that the application is as it
   * was read. With the first key after the last was revoked, a token that was being issued meanwhile has ended too.
   *
   * @returns false when the application has changed; nothing is written then.
   */
  addKey(
    application: Application,
    newKey: NewKey,
    expiredKeyIds: readonly string[],
    nowMs: number,
  ): Promise<boolean> {
    const { applicationId } = application;
    const hasKeys = Object.keys(application.keys).length > 0;
    return transactWrite([
      secretWrite(applicationId, newKey),
      keysWrite(application, {
        set: hasKeys ? ['#keys.#new = :new'] : ['#keys.#new = :new', tokensRevoked],
        remove: expiredKeyIds,
        names: { '#new': newKey.keyId },
        values: defined({ ':new': newKey.key, ':now': hasKeys ? undefined : nowMs }),
      }),
    ]);
  },

  /**
   * Removes a key and its secret, on the same condition. With the last key that has not expired, the tokens of the
   * application end, and expired keys are removed too.
   *
   * @returns as {@link applicationStore.addKey}
   */
  removeKey(application: Application, keyId: string, key: ApplicationKey, nowMs: number): Promise<boolean> {
    const { kind, hash } = key;
    const others = Object.entries(application.keys).filter(([id]) => id !== keyId);
    const isLast =
      others.length === 0 || (isUnexpired(key, nowMs) && !others.some(([, one]) => isUnexpired(one, nowMs)));
    return transactWrite([
      { Delete: { Key: keys.secret(kind, hash) } },
      { Delete: { Key: keys.formerSecret(hash) } },
      keysWrite(application, {
        set: isLast ? [tokensRevoked] : [],
        remove: isLast ? Object.keys(application.keys) : [keyId],
        names: {},
        values: isLast ? { ':now': nowMs } : {},
      }),
    ]);
  },
};

/** The end of the tokens that were issued to an application until a time. */
const tokensRevoked = 'tokensRevokedAtMs = :now';

function secretWrite(applicationId: string, { keyId, key }: NewKey): Write {
  const { kind, hash, createdAtMs, expiresAtMs } = key;
  const record: SecretRecord = {
    kind,
    keyId,
    applicationId,
    createdAtMs,
    ...defined({ expiresAtMs }),
  };
  const ttl = expiresAtMs === undefined ? {} : timeToLive(expiresAtMs);
  return { Put: { Item: { ...keys.secret(kind, hash), ...record, ...ttl } } };
}

/** A change of an application's keys, on the condition that the application is as it was read. */
function keysWrite(
  { applicationId, revision }: Application,
  change: { set: readonly string[]; remove: readonly string[]; names: object; values: object },
): Write {
  const removed = Object.fromEntries(change.remove.map((keyId, i) => [`#removed${i}`, keyId]));
  const paths = Object.keys(removed).map((name) => `#keys.${name}`);
  const removal = paths.length > 0 ? ` REMOVE ${paths.join(', ')}` : '';
  return {
    Update: {
      Key: keys.application(applicationId),
      UpdateExpression: `SET ${['revision = revision + :one', ...change.set].join(', ')}${removal}`,
      ConditionExpression: `${exists} AND revision = :revision`,
      ExpressionAttributeNames: { '#keys': 'keys', ...removed, ...change.names },
      ExpressionAttributeValues: { ':one': 1, ':revision': revision, ...change.values },
    },
  };
}
