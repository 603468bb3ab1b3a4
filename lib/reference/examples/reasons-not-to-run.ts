import type { Operation } from '../../openapi/types.ts';

/** The reasons of operations that answer data, by their ids. */
const reasons: ReadonlyMap<string, string> = new Map([
  ['getAsset', 'The name of the package has its version: see the start of this stack.'],
  ['trustDevice', 'The code comes by mail: see the mailbox of this stack.'],
  ['createToken', 'A code works once, and the consent page gives it to an application.'],
  ['revokeToken', 'It needs a token that a user granted on the consent page.'],
  ['receiveStripeEvent', 'Stripe sends and signs this.'],
  ['downloadBillingInvoice', 'The billing page links to it.'],
  ['downloadConsoleDocument', 'The page of a subscription in the console links to it.'],
  ['revokeApplicationKey', 'Create a key first, and name it in place of the example.'],
  ['revokeOperatorKey', 'Create a key first, and name it in place of the example.'],
  ['revokeGrant', 'It needs a grant that a user gave on the consent page.'],
  ['giveUpMail', 'It needs a mail that waits for a try.'],
  ['redriveMail', 'It needs a mail that was given up.'],
  ['reallocatePayment', 'The amounts have to be those of the payment and of its invoices.'],
  ['getSecurityTxt', 'This stack has no contact for reports.'],
  ['decideReview', 'The revision has to be that of the link: read the review first.'],
]);

/** The media types of the answers that are no errors. */
const typesOf = ({ responses }: Operation): string[] =>
  Object.entries(responses).flatMap(([status, response]) =>
    /^[23]/.test(status) && 'content' in response ? Object.keys(response.content) : [],
  );

/**
 * Why no button can carry out the example of an operation, as a sentence for readers; undefined for all that a test runs against
 * a local stack.
 */
export function reasonNotToRun(operation: Operation): string | undefined {
  const { operationId, requestBody } = operation;
  const isForm = requestBody?.content['application/x-www-form-urlencoded'] !== undefined;
  const types = typesOf(operation);
  if (isForm && !types.includes('application/json'))
    return reasons.get(operationId) ?? 'A form of a page sends this.';
  if (types.length > 0 && types.every((type) => type === 'text/html')) return 'A browser shows this page.';
  return reasons.get(operationId);
}
