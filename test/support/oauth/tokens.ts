import { findSecret } from '../../../functions/shared/auth/secrets.ts';
import { keys } from '../../../functions/shared/contract/keys.ts';
import { secretHash } from '../../../functions/shared/contract/secret.ts';
import { getItem } from '../../../functions/shared/table/table.ts';
import type { Answered } from '../call.ts';
import { updateItem } from '../stored-items.ts';

export const outcome = ({ status, body }: Answered) => [status, body.error];
export const invalidGrant = [400, 'invalid_grant'];

/** Whether endpoints accept the access token. They cache it for 20 seconds. */
export const isAccepted = async (token: string) =>
  (await findSecret('access_token', token, Date.now())) !== undefined;

export const isStored = async (token: string) =>
  (await getItem(keys.secret('access_token', secretHash(token)))) !== undefined;

export const suspendUser = (userId: string) =>
  updateItem(keys.user(userId), {
    UpdateExpression: 'SET #status = :status',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: { ':status': 'suspended' },
  });
