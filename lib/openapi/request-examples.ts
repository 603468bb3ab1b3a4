import type { Registered } from '../../functions/routes.ts';
import { recordOf } from './example-texts.ts';
import { exampleValue } from './example-value.ts';
import { jsonSchema } from './schemas.ts';

type Fields = Readonly<Record<string, unknown>>;

const statementFile = 'Date;Amount;Reference\n2026-11-20;9.99;SUB-7K3M9XQP\n2026-11-20;-1.50;Fee\n';

/** The form of an operation. */
const formOf = (operation: string, more: Fields): Fields =>
  Object.assign({ form: recordOf('form'), operation }, more);

/**
 * Fields of examples that do not follow from the schema of the body: one of several that are optional, or a value that
 * another field decides.
 */
const fields: Readonly<Record<string, Fields>> = {
  'plans.create': { billingCycle: 'monthly', features: ['Everything'], trialPeriodDays: 14 },
  'subscriptions.update': { autoRenew: false },
  'users.reset': { reason: 'The phone was stolen.' },
  'users.social-account-upsert': { verificationStatus: 'verified' },
  'statements.create': {
    format: 'csv',
    file: Buffer.from(statementFile).toString('base64'),
    mapping: { columns: { date: 'Date', amount: 'Amount', reference: ['Reference'] }, currency: 'EUR' },
  },
  'statements.confirm': { entries: [{ entryId: '1', skip: true }] },
  'oauth.token': {
    code: recordOf('code'),
    redirect_uri: recordOf('redirect_uri'),
    code_verifier: recordOf('code_verifier'),
    client_id: recordOf('client_id'),
    client_secret: recordOf('client_secret'),
  },
  'oauth.consent-submit': {
    client_id: recordOf('client_id'),
    redirect_uri: recordOf('redirect_uri'),
    response_type: 'code',
    code_challenge: recordOf('code_challenge'),
    code_challenge_method: 'S256',
    form: recordOf('form'),
    step: 'deny',
  },
  'oauth.revoke': { client_id: recordOf('client_id'), client_secret: recordOf('client_secret') },
  'vault.write': { version: 0 },
  'console.sign-in-submit': { key: recordOf('key'), next: '/console' },
  'console.review-next': { form: recordOf('form') },
  'console.review-submit': { form: recordOf('form'), action: 'verify', revision: '1' },
  'console-operations.portal': formOf('link-mail', {
    applicationId: recordOf('applicationId'),
    'path.id': recordOf('subscriptionId'),
    reason: 'They lost the mail with the link.',
  }),
  'console-operations.applications': formOf('key-revoke', {
    'path.id': recordOf('applicationId'),
    'path.keyId': recordOf('keyId'),
    reason: 'The key was in a log.',
  }),
  'console-operations.clients': formOf('upsert', {
    applicationId: recordOf('applicationId'),
    'body.externalId': 'user-1',
    'body.email': 'ann@example.com',
    reason: 'They have another address.',
  }),
  'console-operations.plans': formOf('update', {
    'path.id': recordOf('applicationId'),
    'path.planId': recordOf('planId'),
    'body.price': '12.50',
    reason: 'The price of next year.',
  }),
  'console-operations.users': formOf('enrolment-link-send', {
    'path.userId': recordOf('userId'),
    reason: 'They asked for it by telephone.',
  }),
  'console-operations.subscriptions': formOf('update', {
    applicationId: recordOf('applicationId'),
    'path.id': recordOf('subscriptionId'),
    'body.autoRenew': 'no',
    'body.reason': 'They asked for it.',
  }),
  'console-operations.payments': formOf('apply', {
    applicationId: recordOf('applicationId'),
    'path.id': recordOf('payment'),
    'body.subscriptionId': recordOf('subscriptionId'),
    reason: 'The payer named it in a mail.',
  }),
  'console-operations.webhooks': formOf('webhook-test', {
    applicationId: recordOf('applicationId'),
    'path.id': recordOf('webhookId'),
    reason: 'The developer asked for it.',
  }),
  'console-operations.operator': formOf('mail-redrive', {
    'path.mailId': 'sub_01jd3b7q0000e5w3v9f2k4m6p8#invoice#1',
    reason: 'Their mailbox works again.',
  }),
  'console-money.statement-upload': {
    form: recordOf('form'),
    format: 'csv',
    file: statementFile,
    date: 'Date',
    amount: 'Amount',
    reference: 'Reference',
    currency: 'EUR',
  },
  'console-money.statement-action': {
    form: recordOf('form'),
    action: 'keep',
    version: '0',
    'choice-1': 'skip',
  },
  'console.sign-out': { form: recordOf('form') },
  'account.submit': { step: 'remove', device: recordOf('device') },
  'portal.submit': { action: 'rename', name: 'Ann Example' },
  'payments.stripe-webhook': { id: 'evt_1', object: 'event', type: 'checkout.session.completed' },
};

/** Examples that have none of the fields that would follow from the schema. */
const whole: Readonly<Record<string, Fields>> = {
  'payments.apply': { subscriptionId: recordOf('subscriptionId') },
  // A time would be past one day.
  'subscriptions.pause': {},
  // A revision would be that of a subscription without changes.
  'subscriptions.cancel': { atPeriodEnd: true },
  'subscriptions.uncancel': {},
  'subscriptions.resume': {},
};

/** The body of a request that a route accepts; undefined for a route without one. Its fields with an example are in it. */
export function requestExample({ id, route: { body, bodyType } }: Registered): unknown {
  if (body === undefined) return undefined;
  const derived = bodyType === 'raw' ? {} : exampleValue(jsonSchema(body, 'input'), 'shown');
  return whole[id] ?? Object.assign({}, derived, fields[id]);
}
