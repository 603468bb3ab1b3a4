import { expect, test } from 'vitest';
import { keys } from '../../../functions/shared/contract/keys.ts';
import { secretHash } from '../../../functions/shared/contract/secret.ts';
import { getItem } from '../../../functions/shared/table/table.ts';
import { newOperatorKey, removeOperatorKey, storeOperatorKey } from '../../../lib/operator/operator-key.ts';
import { putItem } from '../../support/stored-items.ts';

const tableName = () => process.env.TABLE_NAME ?? '';

test('an operator key is stored under the prefix of operator keys, and under no other', async () => {
  const made = newOperatorKey(Date.now());
  await storeOperatorKey(made, tableName());
  const hash = secretHash(made.secret);
  expect(await getItem(keys.secret('operator_key', hash))).toMatchObject({ kind: 'operator_key' });
  expect(await getItem(keys.formerSecret(hash))).toBeUndefined();
});

test('an operator key of release 0.1.0 is removed from where that release stored it', async () => {
  const { secret, item } = newOperatorKey(Date.now());
  const former = keys.formerSecret(secretHash(secret));
  await putItem({ ...item, ...former });
  expect(await removeOperatorKey(secret, tableName())).toBe(true);
  expect(await getItem(former)).toBeUndefined();
  expect(await removeOperatorKey(secret, tableName())).toBe(false);
});
