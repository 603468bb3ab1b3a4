import { bearer, call, newOperatorKey, newSeller, newUser } from '../../support/call.ts';
import { pendingSubscription } from '../../support/samples/finance.ts';
import { newTokens } from '../../support/samples/oauth.ts';
import { asOperator, youtubeAccount } from '../../support/samples/operator.ts';
import { type Case, row, sampled } from './case.ts';

/** A third account on a platform, which becomes primary in place of another. */
async function thirdAccount() {
  const { userId } = await newUser();
  const request = (username: string) =>
    asOperator({ body: { ...youtubeAccount, username }, params: { userId, platform: 'YouTube' } });
  for (const username of ['ann1', 'ann2']) await call('users.social-account-upsert', await request(username));
  return request('ann3');
}

/** A request about a user who allowed an application. */
const aboutUser = (body: (userId: string) => object) => async () => {
  const { user } = await newTokens();
  const { userId } = user;
  return { headers: bearer(await newOperatorKey()), params: { userId }, body: body(userId) };
};
const otherAddress = (userId: string) => ({
  email: `${userId}@moved.example`,
  name: 'Ann Example',
  status: 'active',
  verified: true,
});

/** A search for a subscription with a key that covers every kind of record. */
async function withinApplication() {
  const seller = await newSeller();
  const { referenceNumber } = await pendingSubscription(seller);
  return asOperator({ query: { q: referenceNumber, applicationId: seller.applicationId } });
}

export const operatorCases: readonly Case[] = [
  // It takes up the given-up mails of every other case.
  { ...sampled('operator.mail-redrive-all'), alone: true },
  row('operator.search', 'a reference number within an application', withinApplication),
  sampled('users.upsert'),
  row('users.upsert', 'another address', aboutUser(otherAddress)),
  sampled('users.reset'),
  row(
    'users.reset',
    'devices and a consent',
    aboutUser(() => ({ devices: true })),
  ),
  sampled('users.social-account-upsert'),
  row('users.social-account-upsert', 'the third there', thirdAccount),
];
