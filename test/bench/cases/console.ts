import { actionRequest, signedIn } from '../../support/samples/console.ts';
import { form, formType } from '../../support/samples/forms.ts';
import { type Case, row, sampled } from './case.ts';

export const consoleCases: readonly Case[] = [
  sampled('console.client-show'),
  sampled('console.customer-action'),
  sampled('console.customer-document', 'PDF'),
  sampled('console.customer-list'),
  sampled('console.customer-show'),
  row('console.home', 'a stranger', () => ({}), 303),
  row('console.home', 'a reviewer', async () => ({ headers: await signedIn('review') })),
  sampled('console.audit'),
  sampled('console-developers.list'),
  sampled('console-developers.show'),
  sampled('console-developers.action'),
  sampled('console-developers.webhook-show'),
  sampled('console-developers.webhook-action'),
  sampled('console-money.apply'),
  sampled('console-money.home'),
  sampled('console-money.show'),
  sampled('console-money.statement-list'),
  sampled('console-money.statement-upload'),
  sampled('console-money.statement-show'),
  sampled('console-money.statement-action'),
  row('console.search', 'a user', async () => ({
    headers: await signedIn('support'),
    query: { q: 'anna@example.com' },
  })),
  sampled('console.review-queue'),
  row('console.review-next', 'the next link', async () => actionRequest(await signedIn('review')), 303),
  sampled('console.review-show'),
  sampled('console.review-submit'),
  row(
    'console.sign-in-submit',
    'a wrong key',
    () => ({ body: form({ key: `vok_${'A'.repeat(22)}` }), headers: formType }),
    400,
  ),
  sampled('console.sign-in-submit'),
  row('console.sign-out', 'sign out', async () => actionRequest(await signedIn()), 303),
];
