import { operatorCaller } from '../shared/auth/bearer.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { route } from './contracts/key-revoke.ts';
import { revokeKeyOf } from './key-changes.ts';

export async function revokeKey({
  params: { id, keyId },
  caller,
}: Input<typeof route>): Promise<Output<typeof route>> {
  if (!(await revokeKeyOf(id, keyId, caller))) throw new ApiError('not_found');
  return { success: true };
}

export const handler = endpoint(route, revokeKey, operatorCaller);
