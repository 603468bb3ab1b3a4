/** Stores secrets and token families as release 0.1.0 did. */
import { randomUUID } from 'node:crypto';
import { keys } from '../../../functions/shared/contract/keys.ts';
import { type SecretKind, secretHash } from '../../../functions/shared/contract/secret.ts';
import { getItem } from '../../../functions/shared/table/table.ts';
import { deleteItem, putItem } from '../stored-items.ts';

/** Moves a secret to where release 0.1.0 stored it. `change` replaces attributes. @returns its record. */
export async function storeAsFormer(kind: SecretKind, secret: string, change: Record<string, unknown> = {}) {
  const hash = secretHash(secret);
  const item = await getItem(keys.secret(kind, hash));
  if (item === undefined) throw new Error(`No ${kind} to move`);
  const former = { ...item, ...change, ...keys.formerSecret(hash) };
  await putItem(former);
  await deleteItem(keys.secret(kind, hash));
  return former as Record<string, unknown>;
}

/** Moves the tokens of a grant, its code and the grant itself. @returns the random id of the family. */
export async function storeGrantAsFormer(issued: {
  user: { userId: string };
  access: string;
  refresh: string;
  code: string;
}): Promise<string> {
  const { userId } = issued.user;
  const familyId = randomUUID();
  const token = await getItem(keys.secret('refresh_token', secretHash(issued.refresh)));
  const key = keys.grant(userId, String(token?.familyId));
  await storeAsFormer('refresh_token', issued.refresh, { familyId });
  await storeAsFormer('access_token', issued.access, { familyId });
  await storeAsFormer('authorization_code', issued.code, { familyId });
  const grant = await getItem(key);
  if (grant === undefined) throw new Error('No grant to move');
  await putItem({ ...grant, familyId, ...keys.family(familyId) });
  await deleteItem(key);
  return familyId;
}
