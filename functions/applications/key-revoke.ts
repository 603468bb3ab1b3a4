import { operatorCaller } from '../shared/auth/bearer.ts';
import { ApiError, endpoint, type Handler } from '../shared/lambda/endpoint.ts';
import { revokeKeyOf } from './key-changes.ts';
import { keyRevokeRoute } from './routes.ts';

export const revokeKey: Handler<typeof keyRevokeRoute> = async ({ params: { id, keyId }, caller }) => {
  if (!(await revokeKeyOf(id, keyId, caller))) throw new ApiError('not_found');
  return { success: true };
};

export const handler = endpoint(keyRevokeRoute, revokeKey, operatorCaller);
