import type { output } from 'zod/mini';
import { operatorCaller } from '../shared/auth/bearer.ts';
import { defined } from '../shared/contract/defined.ts';
import { encodeCursor, isPlaceWith, readCursor } from '../shared/lambda/cursor.ts';
import { ApiError, endpoint, type Handler } from '../shared/lambda/endpoint.ts';
import { clock, isoTime } from '../shared/runtime/clock.ts';
import { isId } from '../shared/runtime/ids.ts';
import { subscriptionQueries } from '../subscriptions/commands/subscription-queries.ts';
import { type SubscriptionMail, subscriptionMailListRoute } from './contracts/mails.ts';
import { mailIdOf } from './mails/mail-id.ts';
import { mailStatus } from './mails/mail-status.ts';
import {
  placeOf,
  type SubscriptionMail as StoredMail,
  subscriptionMailsStore,
} from './mails/subscription-mails-store.ts';

const cursorScope = (id: string) => ['subscription-mails', id];
const defaultLimit = 50;

export const listSubscriptionMails: Handler<typeof subscriptionMailListRoute> = async ({
  params: { id },
  query: { limit = defaultLimit, cursor },
}) => {
  if (!isId('sub', id)) throw new ApiError('not_found');
  const after = readCursor(cursorScope(id), cursor, { after: isPlaceWith(' ') })?.after;
  const nowMs = clock.nowMs();
  const [owner, all] = await Promise.all([
    subscriptionQueries.getOwner(undefined, id),
    subscriptionMailsStore.newestFirst(id, nowMs),
  ]);
  if (owner === undefined) throw new ApiError('not_found');
  const rest = after === undefined ? all : all.filter((mail) => placeOf(mail) < after);
  const page = rest.slice(0, limit);
  const last = rest.length > limit ? page.at(-1) : undefined;
  return {
    mails: page.map((mail) => toResponse(mail, nowMs)),
    ...defined({ nextCursor: last && encodeCursor(cursorScope(id), { after: placeOf(last) }) }),
  };
};

function toResponse(mail: StoredMail, nowMs: number): output<typeof SubscriptionMail> {
  const { template, to, createdAtMs, attempts } = mail;
  return {
    _id: mailIdOf(mail),
    kind: template,
    to,
    createdAt: isoTime(createdAtMs),
    attempts,
    ...mailStatus(mail, nowMs),
  };
}

export const handler = endpoint(subscriptionMailListRoute, listSubscriptionMails, operatorCaller);
