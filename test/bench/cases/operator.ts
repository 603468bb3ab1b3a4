import { call } from '../../support/call.ts';
import { newTokens } from '../../support/samples/oauth.ts';
import { asOperator, operatorSamples, youtubeAccount } from '../../support/samples/operator.ts';
import { bearer, newOperatorKey, newUser } from '../../support/tenants.ts';
import { type Case, row } from './case.ts';

/** The sample request, with an operator key that has not been used. */
const good = (id: string, status = 200): Case =>
  row(
    id,
    'any',
    async () => ({ ...(await operatorSamples[id]?.()), headers: bearer(await newOperatorKey()) }),
    status,
  );

/** A third account on a platform, which becomes primary in place of another. */
async function thirdAccount() {
  const { userId } = await newUser();
  const request = (username: string) =>
    asOperator({ body: { ...youtubeAccount, username }, params: { userId, platform: 'YouTube' } });
  for (const username of ['ann1', 'ann2'])
    await call('operator.social-account-upsert', await request(username));
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

export const operatorCases: readonly Case[] = [
  good('operator.application-create', 201),
  good('operator.application-read'),
  good('operator.application-update'),
  good('operator.key-create', 201),
  good('operator.key-revoke'),
  good('operator.operator-key-create', 201),
  good('operator.operator-key-list'),
  good('operator.operator-key-revoke'),
  good('operator.audit-list'),
  good('operator.user-upsert'),
  row('operator.user-upsert', 'another address', aboutUser(otherAddress)),
  good('operator.user-read'),
  good('operator.user-reset'),
  row(
    'operator.user-reset',
    'devices and a consent',
    aboutUser(() => ({ devices: true })),
  ),
  good('operator.user-history'),
  good('operator.enrolment-link-send'),
  good('operator.social-account-upsert'),
  row('operator.social-account-upsert', 'the third there', thirdAccount),
  good('operator.grant-list'),
  good('operator.grant-revoke'),
  good('operator.mail-list'),
  good('operator.mail-redrive'),
  good('operator.mail-redrive-all'),
  good('subscriptions.plan-create', 201),
  good('subscriptions.plan-update'),
];
