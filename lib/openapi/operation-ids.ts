import type { Place } from '../../functions/shared/contract/route.ts';

/** The object of an operation whose name is a verb alone, where it is not the service without its `s`. */
const objects: Readonly<Record<string, string>> = { vault: 'vault', statements: 'bankStatement' };

/** The verbs that the names of routes have, where the API uses another one. */
const verbs: Readonly<Record<string, string>> = { read: 'get', remove: 'delete' };

/** The operations whose ids do not follow from the names of their routes. */
const others: Readonly<Record<string, string>> = {
  'shares.receipt': 'getShareReceipt',
  'shares.create-page': 'showSharePage',
  'shares.open-page': 'openSharePage',
  'shares.page-script': 'getAsset',
  'devices.code-send': 'sendDeviceCode',
  'links.submit': 'submitLinks',
  'links.status': 'getLinkStatuses',
  'links.social-account-status': 'getSocialAccountStatuses',
  'oauth.consent-show': 'showConsentPage',
  'oauth.token': 'createToken',
  'oauth.revoke': 'revokeToken',
  'oauth.metadata': 'getAuthorizationServerMetadata',
  'account.show': 'showAccountPage',
  'account.submit': 'submitAccountPage',
  'oauth.consent-submit': 'submitConsentPage',
  'subscriptions.current': 'getCurrentSubscription',
  'subscriptions.change-preview': 'previewSubscriptionChange',
  'subscriptions.credit-invoice': 'creditInvoice',
  'payments.activate': 'activateSubscription',
  'payments.pay-out': 'payOutCredit',
  'payments.checkout-show': 'showCheckoutPage',
  'payments.checkout-submit': 'submitCheckoutPage',
  'payments.stripe-webhook': 'receiveStripeEvent',
  'portal.link': 'createBillingLink',
  'portal.show': 'showBillingPage',
  'portal.submit': 'submitBillingPage',
  'portal.invoice': 'downloadBillingInvoice',
  'journal.list': 'listJournalRecords',
  'journal.account-statement': 'getAccountStatement',
  'reports.receivables-read': 'getReceivablesReport',
  'reports.revenue-read': 'getRevenueReport',
  'reports.tax-read': 'getTaxReport',
  'webhooks.webhook-rotate': 'rotateWebhookSecret',
  'applications.key-create': 'createApplicationKey',
  'applications.key-revoke': 'revokeApplicationKey',
  'users.history': 'listUserHistory',
  'operator.audit-list': 'listAuditRecords',
  'operator.mail-give-up': 'giveUpMail',
  'operator.mail-redrive-all': 'redriveMails',
  'operator.search': 'searchRecords',
  'console.client-show': 'showConsoleClientPage',
  'console.customer-document': 'downloadConsoleDocument',
  'console.customer-list': 'showConsoleCustomersPage',
  'console.customer-show': 'showConsoleCustomerPage',
  'console.audit': 'showConsoleAuditPage',
  'console.home': 'showConsolePage',
  'console-developers.list': 'showConsoleDevelopersPage',
  'console-developers.show': 'showConsoleApplicationPage',
  'console-developers.action': 'submitConsoleApplicationPage',
  'console-developers.webhook-show': 'showConsoleWebhookPage',
  'portal.link-mail': 'mailBillingLink',
  'console-operations.list': 'showConsoleOperationsPage',
  'console-money.home': 'showConsoleMoneyApplicationsPage',
  'console-money.show': 'showConsoleMoneyPage',
  'console-money.statement-action': 'submitConsoleStatementPage',
  'console-money.statement-list': 'showConsoleStatementsPage',
  'console-money.statement-show': 'showConsoleStatementPage',
  'console-money.statement-upload': 'submitConsoleStatementsPage',
  'console.search': 'showConsoleSearchPage',
  'console.review-queue': 'showConsoleReviewsPage',
  'console.review-next': 'submitConsoleReviewsPage',
  'console.review-show': 'showConsoleReviewPage',
  'console.review-submit': 'submitConsoleReviewPage',
  'console.sign-in-show': 'showConsoleSignInPage',
  'console.sign-in-submit': 'submitConsoleSignInPage',
  'console.sign-out': 'submitConsoleSignOut',
  'reference.home': 'getHome',
  'reference.security-txt': 'getSecurityTxt',
  'reference.document': 'getOpenApiDocument',
  'reference.page': 'showReferencePage',
  'reference.group': 'showReferenceGroupPage',
};

/**
 * The id of a route's operation: a verb and its object, in camel case. It follows from the name of the route:
 * `listCreditNotes` for `credit-note-list`, `createPlan` for `create` of the service `plans`, `submitPlansForms` for the forms of it.
 */
export function operationIdOf({ service, name, id }: Place): string {
  const other = others[id];
  if (other !== undefined) return other;
  if (service === 'console-operations') return `submit${capitalized(name)}Forms`;
  const words = name.split('-');
  const verb = words.pop() ?? '';
  const ofService = objects[service] ?? service.replace(/s$/, '');
  const object = words.length > 0 ? words.map(capitalized).join('') : capitalized(ofService);
  return `${verbs[verb] ?? verb}${verb === 'list' ? plural(object) : object}`;
}

/** The name of the schema of a type of event: `InvoicePaidEvent`. */
export const eventNameOf = (type: string): string => `${type.split(/[._]/).map(capitalized).join('')}Event`;

export const capitalized = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;

const plural = (word: string): string => `${word.replace(/(?<=[^aeiou])y$/, 'ie')}s`;
