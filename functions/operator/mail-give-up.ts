import { operatorCaller } from '../shared/auth/bearer.ts';
import { ApiError, endpoint, found, type Handler } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { mailGiveUpRoute } from './contracts/mails.ts';
import { mailKeyOf } from './mails/mail-id.ts';
import { undeliveredMailStore } from './mails/store.ts';

export const giveUpMail: Handler<typeof mailGiveUpRoute> = async ({ params: { mailId }, caller }) => {
  const key = mailKeyOf(mailId);
  const status = found(key && (await undeliveredMailStore.giveUp(key, clock.nowMs(), caller)));
  if (status !== 'given_up') throw new ApiError('invalid_transition', { details: { status } });
  return { success: true };
};

export const handler = endpoint(mailGiveUpRoute, giveUpMail, operatorCaller);
