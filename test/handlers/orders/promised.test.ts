/** Promises of docs/security.md and docs/robustness.md about two requests at the same time, under every order of their calls. */
import { runPair } from '../../orders/run-pair.ts';

test.each([
  ['shares.open', 'shares.open', 'one of two readers gets a one-time share'],
  ['shares.burn', 'shares.open', 'a share is opened or burned, and not both'],
  ['devices.trust', 'devices.trust', 'a code is accepted once'],
  ['vault.write', 'vault.write', 'one of two writes of a version is kept'],
  ['oauth.token', 'oauth.token', 'an authorization code yields tokens once'],
  ['links.review-decide', 'links.review-decide', 'a link has one decision'],
  ['subscriptions.cancel', 'subscriptions.cancel', 'a subscription is cancelled once'],
  ['subscriptions.cancel', 'payments.create', 'a payment is applied or becomes credit'],
  ['payments.create', 'payments.create', 'a transfer is recorded once'],
  ['operator.mail-redrive', 'operator.mail-give-up', 'a mail is given up, or is due again'],
  ['operator.mail-give-up', 'operator.mail-redrive', 'a mail that is made due again stays due'],
  ['statements.confirm', 'console-money.statement-action', 'a confirmation has the decisions of its request'],
  ['payments.reverse', 'payments.return', 'a payment goes back once'],
  ['subscriptions.credit-invoice', 'subscriptions.credit-invoice', 'an invoice is credited once'],
  ['subscriptions.credit-invoice', 'payments.create', 'an invoice is credited or paid'],
])('%s and %s: %s, in every order', async (first, second) => {
  expect(await runPair({ first, second }, { most: 1_000 })).toMatchObject({ orders: { isCut: false } });
});
