import { expect, test } from 'vitest';
import { call } from '../../../support/call.ts';
import {
  asOperator,
  newApplication,
  newPlan,
  profile,
  youtubeAccount,
} from '../../../support/samples/operator.ts';
import { newOperatorKey, newTenant, newUser } from '../../../support/tenants.ts';

const half = 'a\ud800';

test.each([
  ['operator.application-create', { ...newApplication, name: half }, 'name'],
  [
    'operator.application-create',
    { ...newApplication, settings: { banking: { accountHolder: half, bankName: 'Bank' } } },
    'settings.banking.accountHolder',
  ],
  ['subscriptions.plan-create', { ...newPlan, name: half }, 'name'],
  ['subscriptions.plan-create', { ...newPlan, description: half }, 'description'],
  ['subscriptions.plan-create', { ...newPlan, features: [half] }, 'features[0]'],
  ['operator.user-upsert', { ...profile(), name: half }, 'name'],
  ['operator.social-account-upsert', { ...youtubeAccount, username: half }, 'username'],
  ['operator.social-account-upsert', { ...youtubeAccount, url: `https://a.example/${half}` }, 'url'],
])('%s refuses a lone surrogate and names the field: %#', async (id, body, field) => {
  const [{ applicationId }, { userId }] = await Promise.all([newTenant(), newUser()]);
  const params = { id: applicationId, userId, platform: 'YouTube' };
  const answer = await call(id, await asOperator({ body, params }));
  expect(answer.status).toBe(400);
  expect(answer.body.details).toHaveProperty([field]);
});

test('forty concurrent changes of one user are all applied', async () => {
  const { userId } = await newUser();
  const key = await newOperatorKey();
  const answers = await Promise.all(
    Array.from({ length: 40 }, async () =>
      call('operator.user-upsert', await asOperator({ params: { userId }, body: profile() }, key)),
    ),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
});

test.each(['operator.application-read', 'operator.application-update'])(
  '%s responds with 400 or 404 to an id that is too long for a key',
  async (id) => {
    const request = await asOperator({ params: { id: 'a'.repeat(2_100) }, body: newApplication });
    expect([400, 404]).toContain((await call(id, request)).status);
  },
);
