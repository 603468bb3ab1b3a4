import { operatorCaller } from '../shared/auth/bearer.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { route } from './contracts/mail-redrive.ts';
import { mailKeyOf } from './mails/mail-id.ts';
import { undeliveredMailStore } from './mails/store.ts';

export async function redriveMail({
  params: { mailId },
  caller,
}: Input<typeof route>): Promise<Output<typeof route>> {
  const key = mailKeyOf(mailId);
  if (key === undefined || (await undeliveredMailStore.redrive(key, clock.nowMs(), caller)) === undefined)
    throw new ApiError('not_found');
  return { success: true };
}

export const handler = endpoint(route, redriveMail, operatorCaller);
