import { operatorCaller } from '../shared/auth/bearer.ts';
import { ApiError, endpoint, type Handler } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { mailRedriveRoute } from './contracts/mails.ts';
import { mailKeyOf } from './mails/mail-id.ts';
import { undeliveredMailStore } from './mails/store.ts';

export const redriveMail: Handler<typeof mailRedriveRoute> = async ({ params: { mailId }, caller }) => {
  const key = mailKeyOf(mailId);
  if (key === undefined || (await undeliveredMailStore.redrive(key, clock.nowMs(), caller)) === undefined)
    throw new ApiError('not_found');
  return { success: true };
};

export const handler = endpoint(mailRedriveRoute, redriveMail, operatorCaller);
