/**
 * The largest answer of each route: its value, made of the longest texts that its fields allow, or the number of bytes
 * that it cannot exceed, and why.
 *
 * A control character takes the most bytes in a result. New texts have none, but those that were stored before may.
 */

import { defaultMaxBodyBytes } from '../../functions/shared/contract/route.ts';
import { fittingRecords, maxPageBytes, PageSize } from '../../functions/shared/lambda/response-size.ts';
import { paymentStatuses } from '../../functions/subscriptions/payments/payment.ts';

export type LargestAnswer = { value: unknown } | { bytes: number; because: string };

const text = (length: number) => '\u0001'.repeat(length);
/** An address is refused with control characters, and takes three bytes for each character of another script. */
const address = (length: number) => '"'.repeat(length);
const base64 = (bytes: number) => 'A'.repeat(Math.ceil(bytes / 3) * 4);
const id = `lnk_${'0'.repeat(26)}`;
const time = '2026-01-01T00:00:00.000Z';
const times = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one);
const page = <T>(one: T, maxBytes = maxPageBytes): T[] =>
  fittingRecords(times(4_000, one), new PageSize(maxBytes));
const nextCursor = 'A'.repeat(200);
const value = (one: unknown): LargestAnswer => ({ value: one });
const bytes = (count: number, because: string): LargestAnswer => ({ bytes: count, because });

const device = {
  _id: id,
  user_id: text(128),
  device_fingerprint_hash: text(256),
  device_name: text(60),
  is_verified: true,
  ip_address: text(45),
  location: text(100),
  isp: text(100),
  os: text(60),
  last_used_at: time,
  created_at: time,
};

const link = {
  _id: id,
  title: text(200),
  url: address(2_048),
  platform: text(50),
  description: text(1_000),
  verificationStatus: 'rejected',
  createdAt: time,
  reviewedAt: time,
};
const account = {
  id,
  platform: text(50),
  username: text(200),
  url: text(2_048),
  verified: false,
  verificationStatus: 'unverified',
  isPrimary: false,
};
/** What is kept of an answer has no control characters: quotation marks take the most bytes. */
const largestDelivery = {
  _id: id,
  webhookId: id,
  eventId: id,
  eventType: address(100),
  status: 'succeeded',
  reason: 'webhook_disabled',
  createdAt: time,
  nextAttemptAt: time,
  attempts: times(20, {
    at: time,
    durationMs: 15_000,
    status: 500,
    error: 'refused_address',
    body: address(1_024),
  }),
};
/** A statement, and an entry with as many candidates as it can have. */
const statement = {
  _id: id,
  format: 'camt.053',
  status: 'importing',
  entries: 10_000,
  withdrawals: 10_000,
  notBooked: 10_000,
  rejected: times(100, { entry: 10_000, problem: 'x'.repeat(100) }),
  totals: times(300, { currency: 'EUR', amount: 90_000_000_000 }),
  matches: { matched: 10_000, suggested: 0, unknown: 0, duplicate: 0, reversal: 0 },
  progress: {
    done: 10_000,
    results: Object.fromEntries(
      [...paymentStatuses, 'duplicate', 'skipped', 'reversal', 'failed'].map((name) => [name, 10_000]),
    ),
  },
  createdAt: time,
  confirmedAt: time,
  importedAt: time,
  expiresAt: time,
};
const statementEntry = {
  entryId: '10000',
  match: 'suggested',
  amount: 90_000_000_000,
  currency: 'EUR',
  valueDate: '2026-01-01',
  text: text(500),
  payerName: text(140),
  payerIban: text(140),
  bankId: text(100),
  candidates: times(5, {
    subscriptionId: id,
    externalId: text(128),
    invoiceId: id,
    referenceNumber: 'SUB-00000000',
    clientName: text(140),
    amountDue: 90_000_000_000,
  }),
  paymentId: id,
  result: 'unapplied',
  error: 'invalid_transition',
};
const historyEntry = {
  event: 'rejected',
  revision: 99_999_999,
  at: time,
  by: { kind: 'application', id: text(128) },
  reason: text(1_000),
  before: { title: link.title, url: link.url, platform: link.platform, description: link.description },
};
/** As large as an item of the table. */
const event = {
  id: `evt_${'0'.repeat(27)}`,
  type: text(100),
  createdAt: time,
  sequence: 99_999_999,
  data: { text: text(400_000 / 6) },
};
const webhook = {
  _id: id,
  keyKind: 'client_secret',
  url: address(2_048),
  types: times(50, 'a'.repeat(100)),
  description: text(500),
  active: false,
  disabled: { reason: 'failing', at: time },
  failingSince: time,
  createdAt: time,
  updatedAt: time,
};
const pendingReview = {
  linkId: id,
  applicationId: id,
  userId: text(128),
  title: link.title,
  url: link.url,
  platform: link.platform,
  priority: false,
  submittedAt: time,
  revision: 99_999_999,
};

const banking = {
  accountHolder: text(140),
  bankName: text(140),
  accountNumber: text(40),
  iban: text(34),
  bic: text(11),
  branchCode: text(40),
};
const day = 365;
const application = {
  _id: id,
  name: text(100),
  clientId: id,
  redirectUris: times(20, text(2_048)),
  settings: {
    paymentGateway: 'sandbox',
    banking,
    dunning: {
      reminderDays: Array.from({ length: 10 }, (_, i) => 350 + i),
      endsAfterDays: day,
      graceDays: day,
    },
    trial: { oncePerClient: false, reminderDays: day },
    invoices: { renewalDays: day, dueDays: day },
    pendingAccess: 'restricted',
    checkoutMinutes: 1_440,
    pkceOptional: false,
    public: false,
  },
  // Two valid ones of each kind, and the expired ones that the next key removes.
  keys: times(16, { keyId: id, kind: 'client_secret', hint: text(12), createdAt: time, expiresAt: time }),
  createdAt: time,
  updatedAt: time,
};
const warnings = times(2, { code: 'banking_missing', message: text(300) });
const user = { userId: text(128), email: text(254), name: text(200), status: 'suspended', verified: false };

const plan = {
  _id: id,
  name: text(100),
  description: text(1_000),
  price: 999_999_999.99,
  currency: 'EUR',
  billingCycle: 'semiannual',
  trialPeriodDays: 730,
  features: times(50, text(200)),
  isActive: false,
  quantity: { min: 10_000, max: 10_000 },
};
const changed = {
  _id: id,
  referenceNumber: 'SUB-00000000',
  status: 'cancelled',
  startDate: time,
  endDate: time,
  trialStart: time,
  trialEnd: time,
  autoRenew: false,
  quantity: 10_000,
  plannedChange: { planId: id, quantity: 10_000, effectiveAt: time },
};
const subscription = {
  ...changed,
  planId: {
    _id: id,
    name: text(100),
    price: 999_999_999.99,
    currency: 'EUR',
    billingCycle: 'semiannual',
    features: times(50, text(200)),
  },
  externalId: text(128),
  entitled: false,
  access: 'restricted',
  termStart: time,
  cancelAtPeriodEnd: false,
  pausedAt: time,
  resumesAt: time,
  endedAt: time,
  endReason: 'not_renewed',
  createdAt: time,
};
const invoice = {
  _id: id,
  number: 'INV-00000000-999999',
  status: 'uncollectible',
  subscriptionId: id,
  currency: 'EUR',
  total: 999_999_999.99,
  amountDue: 999_999_999.99,
  lines: [{ description: text(100), quantity: 1, amount: 999_999_999.99 }],
  periodStart: time,
  periodEnd: time,
  paymentReference: 'SUB-00000000',
  banking,
  issuedAt: time,
  dueAt: time,
  paidAt: time,
  reversed: true,
};
const timelineEntry = {
  at: time,
  event: 'enter_dunning',
  by: 'application',
  from: 'cancelled',
  to: 'cancelled',
  invoices: times(90, 'INV-00000000-999999'),
  reason: text(500),
  unapplied: { invoice: 'INV-00000000-999999', paymentId: text(255) },
};
const changedFields = { ...changed, planId: id, cancelAtPeriodEnd: true, resumesAt: time };
const change = value({ subscription: changedFields });
/** Two lines: what is credited, and what is charged. */
const planChange = {
  effect: 'period_end',
  quotedAt: time,
  effectiveAt: time,
  planId: id,
  quantity: 10_000,
  currency: 'EUR',
  lines: times(2, { description: text(120), quantity: 10_000, amount: -999_999_999.99 }),
  total: -999_999_999.99,
  amountDue: 999_999_999.99,
  creditChange: -999_999_999.99,
  dueAt: time,
  endDate: time,
};
/** An echo of a body of which every byte takes seven in the result. */
const echo = bytes(
  7 * defaultMaxBodyBytes + 100_000,
  'A page of fixed texts, which repeats parameters of a body of at most 64 KiB.',
);
const redirect = bytes(100_000, 'A page of fixed texts, an invoice of bounded texts, or a redirect.');
const token = 'A'.repeat(64);

const receipt = {
  status: 'stored',
  views: 100,
  max_views: 100,
  first_opened_at: time,
  last_opened_at: time,
  created_at: time,
  expires_at: time,
  burned_at: time,
};

const payment = {
  _id: id,
  source: 'application',
  sourceId: text(500),
  method: 'bank_transfer',
  amount: 1_000_000_000,
  currency: 'EUR',
  valueDate: time,
  status: 'unapplied',
  applied: times(20, { invoiceId: id, number: text(40), subscriptionId: id, amount: 1_000_000_000 }),
  credited: 1_000_000_000,
  returned: 1_000_000_000,
  waiting: 1_000_000_000,
  unappliedReason: 'unknown_reference',
  returnReason: text(500),
  externalId: text(128),
  subscriptionId: id,
  invoiceId: id,
  reference: text(500),
  payer: { name: text(200), iban: text(34) },
  recordedAt: time,
  updatedAt: time,
};

export const largestAnswers: Record<string, LargestAnswer> = {
  'shares.create': value({ success: true, shareId: token, expiresAt: time, receiptToken: token }),
  'shares.open': value({
    data_blob: base64(1024 * 1024),
    meta_blob: base64(4 * 1024),
    iv: base64(64),
    created_at: time,
  }),
  'shares.receipt': value(receipt),
  'shares.burn': value(receipt),
  'devices.check': value({ verified: false, deviceId: text(256), reason: text(100), requiresMfa: true }),
  'devices.code-send': value({ success: true, message: text(100) }),
  'devices.trust': value({ success: true }),
  'devices.list': value({ devices: times(100, device) }),
  'devices.revoke': value({ success: true }),
  'vault.read': value({
    data_blob: base64(3 * 1024 * 1024),
    iv: base64(64),
    version: Number.MAX_SAFE_INTEGER,
    updated_at: time,
  }),
  'vault.write': value({ success: true, version: Number.MAX_SAFE_INTEGER, updated_at: time }),
  'links.submit': value({ success: true, trustLinks: times(50, link) }),
  'webhooks.event-list': value({ events: page(event), nextCursor, hasMore: true }),
  'webhooks.event-read': bytes(4_000_000, 'an event is at most an item of the table, 400 KB'),
  'links.list': value({ trustLinks: page(link), nextCursor }),
  'links.read': value({ trustLink: link }),
  'links.update': value({
    success: true,
    trustLink: { _id: id, title: link.title, verificationStatus: 'pending' },
  }),
  'links.remove': value({ success: true, deleted: id }),
  'links.status': value({
    success: true,
    results: times(100, { id, title: link.title, status: 'rejected', reviewedAt: time }),
    summary: { total: 100, verified: 100, pending: 100, rejected: 100, notFound: 100 },
  }),
  'links.social-account-status': value({
    success: true,
    results: times(50, account),
    summary: { total: 50, verified: 50, pending: 50, rejected: 50, unverified: 50 },
  }),
  'links.review-list': value({ reviews: times(200, pendingReview), nextCursor }),
  'links.review-read': value({
    trustLink: link,
    revision: 99_999_999,
    user,
    socialAccounts: page(account, 1_000_000),
    history: page(historyEntry),
    nextCursor,
  }),
  'links.review-decide': value({ trustLink: link }),
  'oauth.consent-show': bytes(
    7 * 10_240 * 8 + 100_000,
    'API Gateway accepts 10,240 bytes of headers and path.',
  ),
  'oauth.consent-submit': echo,
  'account.show': bytes(
    100 * 2_500 + 20 * 2_000 + 20 * 1_500 + 20_000,
    'At most 100 trusted devices, 20 applications and 20 users, of which each text is bounded, in a frame.',
  ),
  'account.submit': echo,
  'oauth.token': value({
    access_token: token,
    token_type: 'Bearer',
    expires_in: 3_600,
    refresh_token: token,
    scope: text(100),
  }),
  'oauth.revoke': value({}),
  'oauth.metadata': bytes(50_000, 'Fixed texts and URLs of this deployment.'),
  'operator.application-create': value({ application, clientSecret: token, apiKey: token, warnings }),
  'operator.application-read': value({ application }),
  'operator.application-update': value({ application, warnings }),
  'operator.audit-list': value({
    history: page({
      event: 'changed',
      revision: 99_999_999,
      at: time,
      by: { kind: 'operator', id, name: text(200), from: text(45) },
      before: { settings: text(48_000) },
    }),
    nextCursor,
  }),
  'operator.key-create': value({ keyId: id, secret: token }),
  'operator.key-revoke': value({ success: true }),
  'operator.operator-key-create': value({ keyId: id, secret: token }),
  'operator.operator-key-list': value({
    keys: times(1_000, {
      keyId: id,
      name: text(200),
      scopes: ['review', 'support', 'finance', 'admin'],
      hint: text(12),
      createdAt: time,
      createdBy: { id, name: text(200) },
      expiresAt: time,
    }),
  }),
  'operator.operator-key-revoke': value({ success: true }),
  'operator.user-upsert': value({ user: { ...user, createdAt: time, updatedAt: time } }),
  'operator.user-read': value({ user: { ...user, createdAt: time, updatedAt: time } }),
  'operator.user-reset': value({
    user: { ...user, createdAt: time, updatedAt: time },
    reset: { devices: true, proof: false, vault: false },
  }),
  'operator.enrolment-link-send': value({ email: address(254), expiresAt: time }),
  'operator.user-history': value({
    history: page({
      event: 'email_changed',
      revision: 99_999_999,
      at: time,
      by: { kind: 'operator', id, name: text(200), from: text(45) },
      reason: text(1_000),
      before: { email: address(254) },
      reset: { devices: true, proof: false, vault: false },
    }),
    nextCursor,
  }),
  'operator.social-account-upsert': value({
    socialAccount: { ...account, createdAt: time, updatedAt: time },
  }),
  'operator.grant-list': value({
    grants: Array(100).fill({
      id,
      applicationId: id,
      applicationName: text(100),
      scopes: ['profile', 'trust_links:write', 'vault'],
      createdAt: time,
      lastUsedAt: time,
    }),
    nextCursor,
  }),
  'operator.grant-revoke': value({ success: true }),
  'operator.mail-list': value({
    mails: Array(100).fill({
      _id: text(200),
      applicationId: id,
      subscriptionId: id,
      kind: text(100),
      createdAt: time,
      givenUpAt: time,
      attempts: 100,
      possibleCopies: 3,
      failure: text(200),
    }),
    nextCursor,
  }),
  'operator.mail-redrive': value({ success: true }),
  'operator.mail-redrive-all': value({ redriven: 500, hasMore: true }),
  'finance.payment-create': value({ payment }),
  'finance.payment-read': value({ payment }),
  'finance.payment-apply': value({ payment }),
  'finance.payment-return': value({ payment }),
  'webhooks.webhook-create': value({ webhook, secret: `whsec_${base64(32)}` }),
  'webhooks.webhook-list': value({ webhooks: times(20, webhook) }),
  'webhooks.webhook-read': value({ webhook }),
  'webhooks.webhook-update': value({ webhook }),
  'webhooks.webhook-remove': value({ success: true, deleted: id }),
  'webhooks.webhook-rotate': value({ secret: `whsec_${base64(32)}`, formerSecretExpiresAt: time }),
  'webhooks.webhook-test': value({ eventId: `${id}0`, deliveryId: id + id }),
  'subscriptions.plan-list': value({ plans: page(plan), nextCursor }),
  'subscriptions.plan-create': value({ plan, warnings }),
  'subscriptions.plan-update': value({ plan }),
  'subscriptions.client-upsert': value({
    client: {
      externalId: text(128),
      email: text(254),
      name: text(200),
      metadata: { a: '"'.repeat(4 * 1024) },
      createdAt: time,
      updatedAt: time,
    },
  }),
  'subscriptions.create': value({
    subscription: { ...subscription, planId: id },
    checkoutUrl: address(2_048),
  }),
  'subscriptions.current': value({ subscription }),
  'subscriptions.list': value({ subscriptions: page(subscription), nextCursor }),
  'finance.invoice-list': value({
    invoices: page({ ...invoice, externalId: text(128) }),
    nextCursor: 'A'.repeat(1_200),
  }),
  'finance.client-list': value({
    clients: page({
      externalId: text(128),
      email: text(254),
      name: text(200),
      metadata: { a: '"'.repeat(4 * 1024) },
      credit: [{ amount: 1_000_000_000, currency: 'EUR' }],
      createdAt: time,
      updatedAt: time,
    }).slice(0, 100),
    nextCursor: 'A'.repeat(1_200),
  }),
  'finance.report-revenue': bytes(300_000, 'Some twenty amounts for each of 300 currencies.'),
  'finance.payment-list': value({ payments: page(payment), nextCursor }),
  'finance.statement-create': value({ statement, entries: times(50, statementEntry), nextCursor }),
  'finance.statement-read': value({ statement, entries: times(100, statementEntry), nextCursor }),
  'finance.statement-confirm': value({ statement }),
  'subscriptions.read': value({
    subscription: {
      ...subscription,
      invoices: page(invoice, 3_000_000),
      timeline: page(timelineEntry, 2_000_000),
    },
    nextCursor,
  }),
  'subscriptions.cancel': change,
  'subscriptions.activate': change,
  'subscriptions.pause': change,
  'subscriptions.resume': change,
  'subscriptions.uncancel': change,
  'subscriptions.change': value({
    subscription: changedFields,
    change: planChange,
    checkoutUrl: address(2_048),
  }),
  'subscriptions.change-preview': value({ preview: planChange }),
  'subscriptions.update': change,
  'subscriptions.invoice-read': bytes(
    2_000_000,
    'Bounded texts. As a PDF with whole subsets of fonts in Base64, it is the largest.',
  ),
  'subscriptions.credit-note-read': bytes(2_000_000, 'A PDF like that of `subscriptions.invoice-read`.'),
  'subscriptions.checkout-show': redirect,
  'subscriptions.checkout-submit': redirect,
  'subscriptions.billing-link': value({ billingUrl: address(2_048) }),
  'subscriptions.billing-show': bytes(300_000, 'A page of fixed texts, bounded names, and twenty invoices.'),
  'subscriptions.billing-submit': bytes(300_000, 'A redirect, or the same page.'),
  'subscriptions.billing-invoice': bytes(2_000_000, 'The PDF of `subscriptions.invoice-read`.'),
  'subscriptions.stripe-webhook': value({ received: true }),
  'webhooks.delivery-list': value({
    deliveries: times(50, largestDelivery),
    nextCursor,
  }),
  'webhooks.delivery-retry': value({ delivery: largestDelivery }),
  'shares.create-page': bytes(
    20_000,
    'A page without content of others: test/handlers/functions/shares/page.test.ts.',
  ),
  'shares.open-page': bytes(20_000, 'The same page.'),
  'shares.page-script': bytes(
    200_000,
    'Generated files, which test/system/lib/client/served-package.test.ts and test/system/lib/share-page/script.test.ts measure.',
  ),
  'reference.security-txt': bytes(50_000, 'A setting and a URL of this deployment.'),
  'reference.home': bytes(50_000, 'Fixed texts and URLs of this deployment.'),
  'reference.document': bytes(
    3_145_778,
    'A generated file: test/system/lib/reference-files.test.ts measures it.',
  ),
  'reference.page': bytes(
    3_145_778,
    'A generated file: test/system/lib/reference-files.test.ts measures it.',
  ),
};
