import { actionRequest, signedIn, signInRequest } from '../../support/samples/console.ts';
import { type Case, row, sampled } from './case.ts';

export const consoleCases: readonly Case[] = [
  sampled('console.customer-document', 'PDF'),
  row('console.home', 'a stranger', () => ({}), 303),
  row('console.home', 'a reviewer', async () => ({ headers: await signedIn('review') })),
  row('console.search', 'a user', async () => ({
    headers: await signedIn('support'),
    query: { q: 'anna@example.com' },
  })),
  row('console.review-next', 'the next link', async () => actionRequest(await signedIn('review')), 303),
  sampled('console.sign-in-submit'),
  row('console.sign-in-submit', 'a wrong key', () => signInRequest({ key: `vok_${'A'.repeat(22)}` }), 400),
  row('console.sign-out', 'sign out', async () => actionRequest(await signedIn()), 303),
];
