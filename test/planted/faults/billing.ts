import type { Area } from '../fault.ts';

export const billing: Area = {
  'A mail to a former address of a client has no billing link.': {
    'functions/portal/pages/present-link.ts: a mail to a former address has the link': [
      'client?.email === to && version',
      'version',
    ],
  },
  'A revoked link to a billing page tells nothing of the subscription, and causes one mail in an hour.': {
    'functions/portal/pages/resolve-link.ts: a replaced link still opens': [
      'isOld: version < linkVersion(owner)',
      'isOld: false',
    ],
    'functions/portal/pages/link-mail.ts: a link of each second can be mailed': [
      '{Math.floor(nowMs / linkMailMs)}`;',
      '{Math.floor(nowMs / 1_000)}`;',
    ],
  },
  'A link to a billing page opens one subscription, and cannot be guessed or combined.': {
    'functions/portal/pages/link.ts: the hash of a billing link leaves out the version': [
      '.update(content)',
      ".update(content.split('.')[0] ?? '')",
    ],
  },
  'A forged link to a billing page, a missing subscription and a version that was never issued look the same. A link of another purpose is forged.':
    {
      'functions/portal/pages/link.ts: links of all purposes have one key': [
        "deploymentKey('billing')",
        "deploymentKey('checkouts')",
      ],
    },
  'A billing page shows invoices of its own subscription only.': {
    'functions/portal/pages/store.ts: the invoice of another subscription is shown': [
      'if (found?.subscriptionId !== subscriptionId) return undefined;',
      'if (found === undefined) return undefined;',
    ],
  },
  'An action that an application does not offer on the billing page is refused, also from pages that were shown before.':
    {
      'functions/portal/submit.ts: a form that is not offered is carried out': [
        'if (setting !== undefined && !settings[setting])',
        'if (setting === undefined && false)',
      ],
    },
  'A cancellation on the billing page cancels no other period than its reader saw.': {
    'functions/portal/submit.ts: a cancellation is of any period': [
      'isChanged = !subscription.cancelAtPeriodEnd && periodEndOf(subscription) !== confirmedEnd;',
      'isChanged = Number.isNaN(confirmedEnd);',
    ],
  },
  'Where the sandbox is off, nothing is paid on its page.': {
    'functions/payments/checkout-submit.ts: the sandbox pays where it is off': [
      'if (!isSandboxAvailable(payable.gateway, env.sandboxGateway()))',
      "if (payable.gateway !== 'sandbox')",
    ],
  },
  'An invoice is paid through the gateway that the application has now.': {
    'functions/payments/settle/receive.ts: a payment in the sandbox does not depend on the gateway': [
      '...(isSandbox ? [deps.payments.sandboxCondition(applicationId)] : []),',
    ],
  },
  "Stripe's reports are believed with a signature of at most five minutes.": {
    'functions/payments/stripe/signature.ts: a signature of any age is believed': [
      '<= toleranceSeconds;',
      '<= Number.POSITIVE_INFINITY;',
    ],
  },
  'No card number reaches the service.': {
    'functions/payments/checkout-show.ts: the page of an invoice is shown in place of the page of Stripe': [
      "if (checkout.state === 'open') return redirectReply(checkout.url);",
      'if (checkout.state === "open") return payReply(payable);',
    ],
  },
  "Stripe's keys leave Secrets Manager in no error.": {
    'functions/payments/stripe/keys.ts: an error quotes the keys at Stripe that are malformed': [
      "throw new Error('The secret with the Stripe keys of an application is malformed');",
      "throw new (await import('../../shared/contract/errors.ts')).ApiError('not_found', { details: { keys: secret.SecretString } });",
    ],
  },
};
