import { defined } from '../shared/contract/defined.ts';
import * as keys from '../shared/contract/keys.ts';
import { type IdempotentRequest, storedResponse, writeIdempotently } from '../shared/table/idempotency.ts';
import { updateNewest } from '../shared/table/newest-update.ts';
import { getRecord, recordReader } from '../shared/table/record.ts';
import {
  batchGetItems,
  type Condition,
  exists,
  notExists,
  type Update,
  type Write,
} from '../shared/table/table.ts';
import type { Client, ClientProfile } from './client.ts';
import { clientListing, factsOfName } from './client-listing.ts';

/** The profile in a request. Undefined fields keep their values. */
export type ProfileInput = Pick<ClientProfile, 'applicationId' | 'externalId' | 'email'> & {
  [Field in 'name' | 'address' | 'vatId' | 'metadata']?: ClientProfile[Field] | undefined;
};

export interface WriteResult {
  isNew: boolean;
  profile: ClientProfile;
}

/** The time of a write and its random id. */
export interface WriteMark {
  nowMs: number;
  writeId: string;
}

export const readClient = recordReader<Client>(['applicationId', 'externalId']);

export const clientStore = {
  get(applicationId: string, externalId: string): Promise<Client | undefined> {
    return getRecord(keys.client(applicationId, externalId), readClient);
  },

  /** The clients of some ids of an application, by their ids. */
  async byIds(applicationId: string, externalIds: readonly string[]): Promise<ReadonlyMap<string, Client>> {
    const ids = [...new Set(externalIds)];
    const items = await batchGetItems(ids.map((id) => keys.client(applicationId, id)));
    return new Map(items.map(readClient).map((client) => [client.externalId, client]));
  },

  /** Creates or updates a profile in one write without a read. It leaves {@link ClientState} unchanged. */
  async write(input: ProfileInput, mark: WriteMark): Promise<WriteResult> {
    const order = { timeAttribute: 'updatedAtMs', idAttribute: 'writtenBy' };
    const outcome = await updateNewest(keyOf(input), order, mark, (nowMs) =>
      profileUpdate(input, { ...mark, nowMs }),
    );
    if (!outcome.done) throw new Error('The newest update was refused');
    const profile = profileOf(readClient(outcome.item));
    return { isNew: profile.createdBy === mark.writeId, profile };
  },

  /**
   * Changes the name of a client, and nothing else of the profile. Of this write and one of the application, the newer one
   * determines the name.
   *
   * @returns whether the client exists.
   */
  async rename(
    { applicationId, externalId }: Pick<ProfileInput, 'applicationId' | 'externalId'>,
    name: string,
    mark: WriteMark,
  ): Promise<boolean> {
    const key = keys.client(applicationId, externalId);
    const order = { timeAttribute: 'updatedAtMs', idAttribute: 'writtenBy' };
    const outcome = await updateNewest(key, order, mark, (atMs) => ({
      UpdateExpression: 'SET #name = :name, listed = :listed, updatedAtMs = :at, writtenBy = :writeId',
      ConditionExpression: exists,
      ExpressionAttributeNames: { '#name': 'name' },
      ExpressionAttributeValues: {
        ':name': name,
        ':listed': factsOfName(name),
        ':at': atMs,
        ':writeId': mark.writeId,
      },
    }));
    return outcome.done;
  },

  /**
   * The same as {@link write}, once per idempotency key, and with the record of an operator. A transaction does not return
   * the new item, so the client is read first and the write is conditioned on it.
   *
   * @returns the result of this write, or of the earlier one under the key; undefined after a concurrent write.
   * @throws ApiError `idempotency_mismatch`, `idempotency_in_progress`
   */
  async writeRecorded(
    input: ProfileInput,
    mark: WriteMark,
    {
      request,
      rateLimitPassed,
      audit,
    }: {
      request: IdempotentRequest | undefined;
      rateLimitPassed: Promise<void>;
      /** The record of an operator, written in the transaction. */
      audit: (current: ClientProfile | undefined, next: ClientProfile) => readonly Write[];
    },
  ): Promise<WriteResult | undefined> {
    const [earlier, current] = await Promise.all([
      storedResponse<WriteResult>(request, mark.nowMs),
      this.get(input.applicationId, input.externalId),
    ]);
    if (earlier !== undefined) return earlier;
    await rateLimitPassed;
    const ordered = { ...mark, nowMs: timeAfter(current, mark.nowMs) };
    const profileWrite = profileUpdate(input, ordered);
    const condition = isAsRead(current);
    const update: Update = {
      ...profileWrite,
      ConditionExpression: condition.ConditionExpression,
      ExpressionAttributeValues: {
        ...profileWrite.ExpressionAttributeValues,
        ...condition.ExpressionAttributeValues,
      },
    };
    const profile = profileAfter(current, input, ordered);
    const former = current && profileOf(current);
    const writes = [{ Update: { Key: keyOf(input), ...update } }, ...audit(former, profile)];
    return writeIdempotently(request, writes, { isNew: current === undefined, profile }, mark.nowMs);
  },
};

/** The time of a write after the client was read. The clocks of functions differ. */
function timeAfter(current: Client | undefined, nowMs: number): number {
  const newestMs = current?.updatedAtMs ?? 0;
  return nowMs < newestMs ? newestMs + 1 : nowMs;
}

const keyOf = ({ applicationId, externalId }: ProfileInput) => keys.client(applicationId, externalId);

function profileUpdate(input: ProfileInput, { nowMs, writeId }: WriteMark): Update {
  const { applicationId, externalId, email, name } = input;
  const namedBy = keys.clientsOfAddress(email);
  const { listed, ...place } = clientListing({
    applicationId,
    externalId,
    ...defined({ name }),
    createdAtMs: nowMs,
  });
  const profile = { ...definedFields(input), namedBy, updatedAtMs: nowMs, writtenBy: writeId };
  const identity = { createdAtMs: nowMs, createdBy: writeId, ...place };
  // A request without a name keeps the former one, and so does the index.
  const always = name === undefined ? profile : { ...profile, listed };
  const once = name === undefined ? { ...identity, listed } : identity;
  const names = [...Object.keys(always), ...Object.keys(once)];
  const sets = [
    ...Object.keys(always).map((name) => `#${name} = :${name}`),
    ...Object.keys(once).map((name) => `#${name} = if_not_exists(#${name}, :${name})`),
  ];
  return {
    UpdateExpression: `SET ${sets.join(', ')}`,
    ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: Object.fromEntries(
      Object.entries({ ...always, ...once }).map(([name, value]) => [`:${name}`, value]),
    ),
  };
}

/** The condition that the profile has not been written since. Writes of {@link ClientState} do not matter. */
function isAsRead(current: Client | undefined): Condition {
  if (current === undefined) return { ConditionExpression: notExists };
  return {
    ConditionExpression: '#writtenBy = :writtenByAsRead',
    ExpressionAttributeValues: { ':writtenByAsRead': current.writtenBy },
  };
}

function profileAfter(
  current: Client | undefined,
  input: ProfileInput,
  { nowMs, writeId }: WriteMark,
): ClientProfile {
  const previous = current === undefined ? undefined : profileOf(current);
  return {
    ...previous,
    ...definedFields(input),
    createdAtMs: current?.createdAtMs ?? nowMs,
    createdBy: current?.createdBy ?? writeId,
    updatedAtMs: nowMs,
    writtenBy: writeId,
  };
}

function definedFields({ name, address, vatId, metadata, ...identity }: ProfileInput) {
  return { ...identity, ...defined({ name, address, vatId, metadata }) };
}

function profileOf(client: Client): ClientProfile {
  const { applicationId, externalId, email, name, address, vatId, metadata, ...rest } = client;
  const { createdAtMs, updatedAtMs, createdBy, writtenBy } = rest;
  return {
    ...definedFields({ applicationId, externalId, email, name, address, vatId, metadata }),
    createdAtMs,
    updatedAtMs,
    createdBy,
    writtenBy,
  };
}
