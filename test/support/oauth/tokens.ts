import { randomUUID } from 'node:crypto';
import { findSecret } from '../../../functions/shared/auth/secrets.ts';
import * as keys from '../../../functions/shared/contract/keys.ts';
import { secretHash } from '../../../functions/shared/contract/secret.ts';
import { getItem } from '../../../functions/shared/table/table.ts';
import { type Answered, updateItem } from '../call.ts';

export const outcome = ({ status, body }: Answered) => [status, body.error];
export const invalidGrant = [400, 'invalid_grant'];

/** Whether endpoints accept the access token. They cache it for 20 seconds. */
export const isAccepted = async (token: string) =>
  (await findSecret('access_token', token, Date.now())) !== undefined;

/** Whether the table has an access token or a refresh token. */
export const isStored = async (token: string) => {
  const kind = token.startsWith('vrt_') ? 'refresh_token' : 'access_token';
  return (await getItem(keys.secret(kind, secretHash(token)))) !== undefined;
};

const changeUser = (userId: string, name: string, value: string) =>
  updateItem(keys.user(userId), {
    UpdateExpression: 'SET #name = :value',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeNames: { '#name': name },
    ExpressionAttributeValues: { ':value': value },
  });

export const suspendUser = (userId: string) => changeUser(userId, 'status', 'suspended');

/** Ends what the user has set up, as a change of their e-mail address does. */
export const replaceStamp = (userId: string) => changeUser(userId, 'securityStamp', randomUUID());
