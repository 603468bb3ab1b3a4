import type { PlantedFault } from '../../fault.ts';

export const faultsOfBilling: readonly PlantedFault[] = [
  {
    name: 'a mail to a former address has the link',
    file: 'functions/portal/pages/present-link.ts',
    find: 'client?.email === to && version',
    replace: 'version',
    caughtBy: { promise: 'A mail to a former address of a client has no billing link.' },
  },
  {
    name: 'a link of a version that was never issued opens',
    file: 'functions/portal/pages/resolve-link.ts',
    find: '|| link.version > linkVersion(owner)',
    replace: '',
    caughtBy: {
      promise:
        'A forged link to a billing page, a missing subscription and a version that was never issued look the same. A link of another purpose is forged.',
    },
  },
  {
    name: 'a replaced link still opens',
    file: 'functions/portal/pages/resolve-link.ts',
    find: 'isOld: version < linkVersion(owner)',
    replace: 'isOld: false',
    caughtBy: {
      promise:
        'A revoked link to a billing page tells nothing of the subscription, and causes one mail in an hour.',
    },
  },
  {
    name: 'the hash of a billing link leaves out the version',
    file: 'functions/portal/pages/link.ts',
    find: '.update(content)',
    replace: ".update(content.split('.')[0] ?? '')",
    caughtBy: {
      promise: 'A link to a billing page opens one subscription, and cannot be guessed or combined.',
    },
  },
  {
    name: 'links of all purposes have one key',
    file: 'functions/portal/pages/link.ts',
    find: "deploymentKey('billing')",
    replace: "deploymentKey('checkouts')",
    caughtBy: {
      promise:
        'A forged link to a billing page, a missing subscription and a version that was never issued look the same. A link of another purpose is forged.',
    },
  },
  {
    name: 'a link of each second can be mailed',
    file: 'functions/portal/pages/link-mail.ts',
    find: '{Math.floor(nowMs / linkMailMs)}`;',
    replace: '{Math.floor(nowMs / 1_000)}`;',
    caughtBy: {
      promise:
        'A revoked link to a billing page tells nothing of the subscription, and causes one mail in an hour.',
    },
  },
  {
    name: 'a link is replaced from an earlier reading',
    file: 'functions/portal/pages/store.ts',
    find: ": 'billingLinkVersion = :read'}`",
    replace: ": 'billingLinkVersion >= :read'}`",
    caughtBy: { tests: ['test/handlers/functions/portal/link.test.ts'] },
  },
  {
    name: 'a link is replaced without its mail',
    file: 'functions/portal/pages/store.ts',
    find: 'transactWrite([replacement, outboxWrite(entry)])',
    replace: 'transactWrite([replacement])',
    caughtBy: { tests: ['test/handlers/functions/portal/link.test.ts'] },
  },
  {
    name: 'the invoice of another subscription is shown',
    file: 'functions/portal/pages/store.ts',
    find: 'if (found?.subscriptionId !== subscriptionId) return undefined;',
    replace: 'if (found === undefined) return undefined;',
    caughtBy: { promise: 'A billing page shows invoices of its own subscription only.' },
  },
  {
    name: 'a form that is not offered is carried out',
    file: 'functions/portal/submit.ts',
    find: 'if (setting !== undefined && !settings[setting])',
    replace: 'if (setting === undefined && false)',
    caughtBy: {
      promise:
        'An action that an application does not offer on the billing page is refused, also from pages that were shown before.',
    },
  },
  {
    name: 'a cancellation is of any period',
    file: 'functions/portal/submit.ts',
    find: 'isChanged = !subscription.cancelAtPeriodEnd && periodEndOf(subscription) !== confirmedEnd;',
    replace: 'isChanged = Number.isNaN(confirmedEnd);',
    caughtBy: { promise: 'A cancellation on the billing page cancels no other period than its reader saw.' },
  },
  {
    name: 'a form of an old link is carried out',
    file: 'functions/portal/submit.ts',
    find: "if (isOld && action !== 'mail')",
    replace: "if (isOld && action === 'mail')",
    caughtBy: { tests: ['test/handlers/functions/portal/link.test.ts'] },
  },
  {
    name: 'a refund of the charge of another seller counts',
    file: 'functions/payments/stripe/events.ts',
    find: 'if (metadata.applicationId !== applicationId) return undefined;',
    replace: '',
    caughtBy: { tests: ['test/handlers/functions/payments/stripe/webhook.test.ts'] },
  },
  {
    name: 'a debit that is under way counts as paid',
    file: 'functions/payments/stripe/events.ts',
    find: "session.payment_status === 'unpaid' ? 'processing' : 'paid'",
    replace: "'paid'",
    caughtBy: { tests: ['test/handlers/functions/payments/stripe/webhook.test.ts'] },
  },
  {
    name: 'an amount of Stripe is taken for minor units',
    file: 'functions/payments/stripe/events.ts',
    find: 'amountMinor: fromStripeAmount(amount_total, currency)',
    replace: 'amountMinor: amount_total',
    caughtBy: { tests: ['test/handlers/functions/payments/stripe/webhook.test.ts'] },
  },
  {
    name: 'a dispute that was lost brings the payment back',
    file: 'functions/payments/stripe/events.ts',
    find: "if (status !== 'won') return undefined;",
    replace: '',
    caughtBy: { tests: ['test/handlers/functions/payments/stripe/webhook.test.ts'] },
  },
  {
    name: 'a checkout is saved for an invoice that was closed',
    file: 'functions/payments/checkout/store.ts',
    find: 'ConditionExpression: `#status = :open AND ',
    replace: 'ConditionExpression: `(#status = :open OR #status <> :open) AND ',
    caughtBy: { tests: ['test/handlers/functions/payments/stripe/open-session.test.ts'] },
  },
  {
    name: 'a checkout replaces a concurrent one',
    file: 'functions/payments/checkout/store.ts',
    find: "'attribute_not_exists(checkoutId)'",
    replace: "'attribute_exists(pk)'",
    caughtBy: { tests: ['test/handlers/functions/payments/stripe/open-session.test.ts'] },
  },
  {
    name: 'a second checkout stays open',
    file: 'functions/payments/stripe/open-session.ts',
    find: 'await sessions.expire(created.id);',
    replace: '',
    caughtBy: { tests: ['test/handlers/functions/payments/stripe/open-session.test.ts'] },
  },
  {
    name: 'an invoice that lapsed is paid',
    file: 'functions/payments/checkout/payability.ts',
    find: "if (subscription.status === 'pending' && nowMs >= subscription.paymentDeadlineMs) return 'lapsed';",
    replace: '',
    caughtBy: { tests: ['test/handlers/functions/payments/checkout.test.ts'] },
  },
  {
    name: 'the sandbox pays where it is off',
    file: 'functions/payments/checkout-submit.ts',
    find: 'if (!isSandboxAvailable(payable.gateway, env.sandboxGateway()))',
    replace: "if (payable.gateway !== 'sandbox')",
    caughtBy: { promise: 'Where the sandbox is off, nothing is paid on its page.' },
  },
  {
    name: 'a payment in the sandbox does not depend on the gateway',
    file: 'functions/payments/settle/gateway-reports.ts',
    find: 'writes: isSandbox && (() => [deps.payments.sandboxCondition(applicationId)]),',
    replace: 'writes: isSandbox && (() => []),',
    caughtBy: { promise: 'An invoice is paid through the gateway that the application has now.' },
  },
  {
    name: 'a client under a key is written over a concurrent write',
    file: 'functions/clients/store.ts',
    find: "ConditionExpression: '#writtenBy = :writtenByAsRead'",
    replace: "ConditionExpression: '#writtenBy = :writtenByAsRead OR attribute_exists(pk)'",
    caughtBy: { tests: ['test/handlers/functions/clients/clients.test.ts'] },
  },
  {
    name: 'a plan is written over a concurrent write',
    file: 'functions/plans/store.ts',
    find: "ConditionExpression: '#revision = :readRevision'",
    replace: "ConditionExpression: '#revision >= :readRevision'",
    caughtBy: { tests: ['test/handlers/functions/plans/plans.test.ts'] },
  },
  {
    name: 'a credit note of another application is shown',
    file: 'functions/invoices/credit-note-store.ts',
    find: 'if (owner === undefined || owner.applicationId !== applicationId) return undefined;',
    replace: 'if (owner === undefined) return undefined;',
    caughtBy: { promise: 'A record of another application or user is as absent as one that does not exist.' },
  },
  {
    name: 'a repeat that is overtaken by its first request is refused',
    file: 'functions/subscriptions/create.ts',
    find: 'if (first === undefined) throw error;',
    replace: 'if (first !== error) throw error;',
    caughtBy: { tests: ['test/handlers/functions/subscriptions/create.test.ts'] },
  },
  {
    name: 'a client subscribes twice at once',
    file: 'functions/subscriptions/create.ts',
    find: "if (running?.status === 'active' || running?.status === 'paused')",
    replace: "if (running?.status === 'paused')",
    caughtBy: { tests: ['test/handlers/functions/subscriptions/create.test.ts'] },
  },
  {
    name: 'a signature of any age is believed',
    file: 'functions/payments/stripe/signature.ts',
    find: '<= toleranceSeconds;',
    replace: '<= Number.POSITIVE_INFINITY;',
    caughtBy: { promise: "Stripe's reports are believed with a signature of at most five minutes." },
  },
  {
    name: 'the page of an invoice is shown in place of the page of Stripe',
    file: 'functions/payments/checkout-show.ts',
    find: "if (checkout.state === 'open') return redirectReply(checkout.url);",
    replace: 'if (checkout.state === "open") return payReply(payable);',
    caughtBy: { promise: 'No card number reaches the service.' },
  },
  {
    name: 'an error quotes the keys at Stripe that are malformed',
    file: 'functions/payments/stripe/keys.ts',
    find: "throw new Error('The secret with the Stripe keys of an application is malformed');",
    replace:
      "throw new (await import('../../../shared/contract/errors.ts')).ApiError('not_found', { details: { keys: secret.SecretString } });",
    caughtBy: { promise: "Stripe's keys leave Secrets Manager in no error." },
  },
];
