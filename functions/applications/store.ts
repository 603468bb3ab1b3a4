import type { Application } from '../shared/accounts/applications.ts';
import { auditWrite, formerValues } from '../shared/audit/write.ts';
import type { AuditChange, Authorship } from '../shared/contract/audit.ts';
import { defined } from '../shared/contract/defined.ts';
import { ApiError } from '../shared/contract/errors.ts';
import * as keys from '../shared/contract/keys.ts';
import type { Operator } from '../shared/contract/operator-scopes.ts';
import { isUnexpired, type SecretRecord } from '../shared/contract/secret.ts';
import { type IdempotentRequest, writeIdempotently } from '../shared/table/idempotency.ts';
import { exists, notExists, transactWrite, type Write } from '../shared/table/table.ts';
import type { NewKey } from './keys.ts';

type OperatorAuthorship = Authorship & Operator;

export const applicationStore = {
  /**
   * Stores an application and its first keys, all or nothing.
   *
   * @returns the id of the application of this request, or of the one that it repeats.
   * @throws ApiError `idempotency_mismatch`, `idempotency_in_progress`
   */
  async create(
    application: Application,
    by: Operator,
    request: IdempotentRequest | undefined,
  ): Promise<{ applicationId: string }> {
    const { applicationId } = application;
    const newKeys = Object.entries(application.keys).map(([keyId, key]) => ({ keyId, key }));
    const writes = [
      { Put: { Item: application, ConditionExpression: notExists } },
      ...newKeys.map((key) => secretWrite(applicationId, key)),
      auditWrite(audited(application), {
        ...by,
        atMs: application.createdAtMs,
        action: 'application.created',
        revision: application.revision,
      }),
    ];
    const created = await writeIdempotently(request, writes, { applicationId }, application.createdAtMs);
    if (created === undefined) throw new ApiError('conflict');
    return created;
  },

  /**
   * Replaces the fields of `change`, on the condition that the application is as it was read.
   *
   * @returns the updated application; undefined when it has changed, and nothing is written then.
   */
  async update(
    application: Application,
    change: Partial<Pick<Application, 'name' | 'redirectUris' | 'settings'>>,
    authorship: OperatorAuthorship,
  ): Promise<Application | undefined> {
    const fields = Object.entries(change);
    const revision = application.revision + 1;
    const updated = { ...application, ...change, revision, updatedAtMs: authorship.atMs };
    const before = formerValues(application, updated, ['name', 'redirectUris', 'settings']);
    const audit = before && auditOf(application, authorship, { action: 'application.changed', before });
    const isWritten = await transactWrite([
      applicationWrite(application, {
        set: ['updatedAtMs = :now', ...fields.map(([name]) => `#${name} = :${name}`)],
        values: {
          ':now': authorship.atMs,
          ...Object.fromEntries(fields.map(([name, value]) => [`:${name}`, value])),
        },
        remove: [],
      }),
      ...(audit === undefined ? [] : [audit]),
    ]);
    return isWritten ? updated : undefined;
  },

  /**
   * Adds a key and removes expired ones, in one transaction on the condition that the application is as it
   * was read. With the first key after the last was revoked, a token that was being issued meanwhile has ended too.
   *
   * @param others are written in the same transaction.
   * @returns false when the application has changed; nothing is written then.
   */
  addKey(
    application: Application,
    newKey: NewKey,
    expiredKeyIds: readonly string[],
    authorship: OperatorAuthorship,
    others: readonly Write[],
  ): Promise<boolean> {
    const { applicationId } = application;
    const { keyId, key } = newKey;
    const hasKeys = Object.keys(application.keys).length > 0;
    return transactWrite([
      secretWrite(applicationId, newKey),
      applicationWrite(application, {
        set: [`${keyAt(keyId)} = :new`, ...(hasKeys ? [] : [tokensRevoked])],
        remove: expiredKeyIds.map(keyAt),
        values: defined({ ':new': key, ':now': hasKeys ? undefined : authorship.atMs }),
      }),
      auditOf(application, authorship, {
        action: 'application.key_created',
        key: { id: keyId, kind: key.kind },
      }),
      ...others,
    ]);
  },

  /**
   * Removes a key and its secret, on the same condition. With the last key that has not expired, the tokens of the
   * application end, and expired keys are removed too.
   *
   * @returns as {@link applicationStore.addKey}
   */
  removeKey(
    application: Application,
    { keyId, key }: NewKey,
    authorship: OperatorAuthorship,
  ): Promise<boolean> {
    const { kind, hash } = key;
    const nowMs = authorship.atMs;
    const others = Object.entries(application.keys).filter(([id]) => id !== keyId);
    const isLast =
      others.length === 0 || (isUnexpired(key, nowMs) && !others.some(([, one]) => isUnexpired(one, nowMs)));
    return transactWrite([
      { Delete: { Key: keys.secret(kind, hash) } },
      applicationWrite(application, {
        set: isLast ? [tokensRevoked] : [],
        remove: (isLast ? Object.keys(application.keys) : [keyId]).map(keyAt),
        values: isLast ? { ':now': nowMs } : {},
      }),
      auditOf(application, authorship, { action: 'application.key_revoked', key: { id: keyId, kind } }),
    ]);
  },
};

/** A key in an expression. Its id is of letters and digits. */
const keyAt = (keyId: string) => `#keys.#${keyId}`;

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
  const ttl = expiresAtMs === undefined ? {} : keys.timeToLive(expiresAtMs);
  return { Put: { Item: { ...keys.secret(kind, hash), ...record, ...ttl } } };
}

const audited = ({ applicationId }: Application) => ({ id: applicationId, applicationId });

function auditOf(application: Application, authorship: OperatorAuthorship, change: AuditChange): Write {
  const revision = application.revision + 1;
  return auditWrite(audited(application), { ...authorship, ...change, revision });
}

/** A change of an application, on the condition that it is as it was read. */
function applicationWrite(
  { applicationId, revision }: Application,
  { set, remove, values }: Record<'set' | 'remove', readonly string[]> & { values: object },
): Write {
  const removal = remove.length > 0 ? ` REMOVE ${remove.join(', ')}` : '';
  return {
    Update: {
      Key: keys.application(applicationId),
      UpdateExpression: `SET ${['revision = revision + :one', ...set].join(', ')}${removal}`,
      ConditionExpression: `${exists} AND revision = :revision`,
      ExpressionAttributeValues: { ':one': 1, ':revision': revision, ...values },
    },
  };
}
