import { defined } from '../../shared/contract/defined.ts';
import { keys, tableSchema } from '../../shared/contract/keys.ts';
import { type IdempotentRequest, storedResponse, writeIdempotently } from '../../shared/table/idempotency.ts';
import { type Condition, getItem, type Update, updateItem } from '../../shared/table/table.ts';
import type { Client, ClientProfile } from './client.ts';

/** What a request says of a client; what is undefined stays as it is. */
export interface GivenProfile {
  applicationId: string;
  externalId: string;
  email: string;
  name?: string | undefined;
  /** JSON text. */
  metadata?: string | undefined;
}

/** What a write led to. */
export interface Written {
  isNew: boolean;
  profile: ClientProfile;
}

/** When a profile is written, and the random name of the write. */
export interface WriteMark {
  atMs: number;
  writeId: string;
}

/** Clients in the table, each beside his subscriptions. */
export const clientStore = {
  async get(applicationId: string, externalId: string): Promise<Client | undefined> {
    return (await getItem(keys.client(applicationId, externalId))) as Client | undefined;
  },

  /**
   * Sets what is given, of a new client or a known one, in one write without a read. It leaves what changes of
   * subscriptions write there.
   */
  async write(given: GivenProfile, mark: WriteMark): Promise<Written> {
    const outcome = await updateItem(keyOf(given), settingOf(given, mark));
    if (!outcome.done) throw new Error('An update without a condition was refused');
    const profile = profileOf(outcome.item as unknown as Client);
    return { isNew: profile.createdBy === mark.writeId, profile };
  },

  /**
   * The same once per key. A transaction does not tell what it left, so the client is read first, and the write is
   * bound to what was read.
   *
   * @returns what holds: this write, or the earlier one under its key; undefined when somebody else wrote meanwhile.
   * @throws ApiError `idempotency_mismatch`, `idempotency_in_progress`
   */
  async writeIdempotently(
    given: GivenProfile,
    mark: WriteMark,
    { request, rateLimitPassed }: { request: IdempotentRequest; rateLimitPassed: Promise<void> },
  ): Promise<Written | undefined> {
    const [earlier, seen] = await Promise.all([
      storedResponse<Written>(request, mark.atMs),
      this.get(given.applicationId, given.externalId),
    ]);
    if (earlier !== undefined) return earlier;
    await rateLimitPassed;
    const setting = settingOf(given, mark);
    const bound = asSeen(seen);
    const update: Update = {
      ...setting,
      ConditionExpression: bound.ConditionExpression,
      ExpressionAttributeValues: { ...setting.ExpressionAttributeValues, ...bound.ExpressionAttributeValues },
    };
    const written = { isNew: seen === undefined, profile: profileAfter(seen, given, mark) };
    return writeIdempotently(request, [{ Update: { Key: keyOf(given), ...update } }], written, mark.atMs);
  },
};

const keyOf = ({ applicationId, externalId }: GivenProfile) => keys.client(applicationId, externalId);

/** The same fields whether in one write or in a transaction. */
function settingOf(given: GivenProfile, { atMs, writeId }: WriteMark): Update {
  const always = { ...definedOf(given), updatedAtMs: atMs, writtenBy: writeId };
  const once = { createdAtMs: atMs, createdBy: writeId };
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

/** Nobody wrote the profile since; what changes of subscriptions wrote does not matter. */
function asSeen(seen: Client | undefined): Condition {
  if (seen === undefined) return { ConditionExpression: `attribute_not_exists(${tableSchema.partitionKey})` };
  return {
    ConditionExpression: '#writtenBy = :seen',
    ExpressionAttributeValues: { ':seen': seen.writtenBy },
  };
}

function profileAfter(
  seen: Client | undefined,
  given: GivenProfile,
  { atMs, writeId }: WriteMark,
): ClientProfile {
  return {
    ...(seen && profileOf(seen)),
    ...definedOf(given),
    createdAtMs: seen?.createdAtMs ?? atMs,
    createdBy: seen?.createdBy ?? writeId,
    updatedAtMs: atMs,
    writtenBy: writeId,
  };
}

function definedOf({ name, metadata, ...identity }: GivenProfile) {
  return { ...identity, ...defined({ name, metadata }) };
}

function profileOf(client: Client): ClientProfile {
  const { applicationId, externalId, email, name, metadata, ...rest } = client;
  const { createdAtMs, updatedAtMs, createdBy, writtenBy } = rest;
  return {
    ...definedOf({ applicationId, externalId, email, name, metadata }),
    createdAtMs,
    updatedAtMs,
    createdBy,
    writtenBy,
  };
}
