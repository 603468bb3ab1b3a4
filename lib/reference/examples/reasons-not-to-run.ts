/**
 * The examples that no button can carry out, by the id of the operation, with the reason as a sentence for readers. All others are run
 * against a local stack in a test.
 */
export const reasonsNotToRun: ReadonlyMap<string, string> = new Map([
  ['getAsset', 'The name of the package has its version: see the start of this stack.'],
  ['trustDevice', 'The code comes by mail: see the mailbox of this stack.'],
  ['showConsentPage', 'An application sends a browser to this page.'],
  ['submitConsentPage', 'A form of the page sends this.'],
  ['createToken', 'A code works once, and the consent page gives it to an application.'],
  ['revokeToken', 'It needs a token that a user granted on the consent page.'],
  ['submitAccountPage', 'A form of the page sends this.'],
  ['showCheckoutPage', 'The link of a checkout opens this page, once.'],
  ['submitCheckoutPage', 'A form of the page sends this.'],
  ['receiveStripeEvent', 'Stripe sends and signs this.'],
  ['showBillingPage', 'The billing link of a subscription opens this page.'],
  ['submitBillingPage', 'A form of the page sends this.'],
  ['downloadBillingInvoice', 'The billing page links to it.'],
  ['revokeApplicationKey', 'Create a key first, and name it in place of the example.'],
  ['revokeOperatorKey', 'Create a key first, and name it in place of the example.'],
  ['revokeGrant', 'It needs a grant that a user gave on the consent page.'],
  ['redriveMail', 'It needs a mail that was given up.'],
  ['reallocatePayment', 'The amounts have to be those of the payment and of its invoices.'],
  ['getSecurityTxt', 'This stack has no contact for reports.'],
  ['decideReview', 'The revision has to be that of the link: read the review first.'],
]);
