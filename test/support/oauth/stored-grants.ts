import * as keys from '../../../functions/shared/contract/keys.ts';
import { newId } from '../../../functions/shared/runtime/ids.ts';
import { putItem } from '../call.ts';

/** Stores grants that a user made at a time, one to each application named, as the exchange of a code does. */
export async function putGrants(
  userId: string,
  applicationIds: readonly string[],
  createdAtMs = Date.now(),
): Promise<void> {
  const puts = applicationIds.map((applicationId) => {
    const familyId = newId('gnt', createdAtMs);
    return putItem({
      ...keys.grant(userId, familyId),
      familyId,
      userId,
      applicationId,
      scopes: ['profile'],
      createdAtMs,
      currentHash: familyId,
      accessTokens: [],
    });
  });
  await Promise.all(puts);
}
