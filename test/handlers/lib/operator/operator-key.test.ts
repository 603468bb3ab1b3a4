import * as keys from '../../../../functions/shared/contract/keys.ts';
import { secretHash } from '../../../../functions/shared/contract/secret.ts';
import { getItem } from '../../../../functions/shared/table/table.ts';
import {
  newOperatorKey,
  removeOperatorKey,
  storeOperatorKey,
} from '../../../../lib/operator/operator-key.ts';

const tableName = () => process.env.TABLE_NAME ?? '';

test('the first operator key is an admin, is listed, and leaves audit records of its creation and its end', async () => {
  const made = newOperatorKey(Date.now(), 'Olga Operator');
  const { keyId, secret } = made;
  await storeOperatorKey(made, tableName());
  const admin = { keyId, name: 'Olga Operator', scopes: ['admin'] };
  expect(await getItem(keys.secret('operator_key', secretHash(secret)))).toMatchObject(admin);
  expect(await getItem(keys.operatorKey(keyId))).toMatchObject(admin);
  const by = { keyId, name: 'Olga Operator' };
  expect(await getItem(keys.audit({ id: keyId }, 1))).toMatchObject({
    action: 'operator_key.created',
    from: 'bootstrap',
    ...by,
  });
  expect(await removeOperatorKey(secret, tableName(), Date.now())).toBe(true);
  expect(await removeOperatorKey(secret, tableName(), Date.now())).toBe(false);
  expect(await getItem(keys.operatorKey(keyId))).toBeUndefined();
  expect(await getItem(keys.audit({ id: keyId }, 2))).toMatchObject({
    action: 'operator_key.revoked',
    from: 'retire',
    ...by,
  });
});
