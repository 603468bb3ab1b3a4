import type { ApplicationSettings } from '../../../../../functions/shared/accounts/application-settings.ts';
import { dayMs } from '../../../../../functions/shared/runtime/clock.ts';
import {
  billingPolicy,
  isSandboxAvailable,
  oneTrialOnly,
  paymentGateway,
  toleranceMinor,
} from '../../../../../functions/subscriptions/record/policy.ts';
import { hasExpired, revivableUntilMs } from '../../../../../functions/subscriptions/record/revival.ts';
import { sellerDetails } from '../../../../../functions/subscriptions/record/seller.ts';
import type { EndReason, Status } from '../../../../../functions/subscriptions/record/subscription.ts';
import { subscriptionRecord } from '../../../../support/subscriptions/sold.ts';

const payments = { tolerance: 0.5, reviveDays: 3, onRefund: 'cancel', processingAccess: 'none' } as const;

describe('the billing policy', () => {
  const defaults = {
    trialReminderDays: 3,
    renewalDays: 7,
    dueDays: 7,
    reminderDays: [0, 2, 7, 14],
    endsAfterDays: 21,
    graceDays: 7,
    newTermStart: 'old_end',
    pendingAccess: 'none',
    checkoutMinutes: 1_440,
    payments: { tolerance: 0, reviveDays: 14, onRefund: 'keep', processingAccess: 'unchanged' },
  };

  test('has a default for each setting', () => {
    for (const settings of [{}, { trial: {}, invoices: {}, dunning: {}, payments: {} }]) {
      expect(billingPolicy(settings)).toEqual(defaults);
      expect([oneTrialOnly(settings), paymentGateway(settings)]).toEqual([true, 'none']);
    }
  });

  test('is what was set', () => {
    const settings: ApplicationSettings = {
      trial: { reminderDays: 1, oncePerClient: false },
      invoices: { renewalDays: 2, dueDays: 4 },
      dunning: { reminderDays: [1], endsAfterDays: 5, graceDays: 6, newTermStart: 'now' },
      pendingAccess: 'full',
      checkoutMinutes: 30,
      paymentGateway: 'stripe',
      payments,
    };
    expect(billingPolicy(settings)).toEqual({
      trialReminderDays: 1,
      renewalDays: 2,
      dueDays: 4,
      reminderDays: [1],
      endsAfterDays: 5,
      graceDays: 6,
      newTermStart: 'now',
      pendingAccess: 'full',
      checkoutMinutes: 30,
      payments,
    });
    expect([oneTrialOnly(settings), paymentGateway(settings)]).toEqual([false, 'stripe']);
  });

  test('has the sandbox only where the application and the deployment have it', () => {
    const pairs = [
      isSandboxAvailable('sandbox', true),
      isSandboxAvailable('sandbox', false),
      isSandboxAvailable('stripe', true),
    ];
    expect(pairs).toEqual([true, false, false]);
  });

  test.each([
    [0.29, 'EUR', 29],
    [0.5, 'JPY', 0],
    [1.5, 'JPY', 1],
    [0.1234, 'KWD', 123],
  ])('forgives %d %s as %i minor units', (tolerance, currency, minor) => {
    expect(toleranceMinor(billingPolicy({ payments: { tolerance } }), currency)).toBe(minor);
  });
});

describe('a late payment', () => {
  const policy = billingPolicy({ payments: { reviveDays: 3 } });
  const cases: [Status, EndReason, number | undefined, boolean][] = [
    ['expired', 'unpaid', 3 * dayMs + 5, true],
    ['expired', 'trial_over', 3 * dayMs + 5, true],
    ['expired', 'not_renewed', undefined, true],
    ['cancelled', 'unpaid', undefined, true],
    ['cancelled', 'period_over', undefined, false],
    ['cancelled', 'superseded', undefined, false],
  ];
  test.each(cases)(
    'revives one that is %s (%s) until %s; it expired: %s',
    (status, endReason, untilMs, expired) => {
      const ended = subscriptionRecord({ status, endReason, endedAtMs: 5, policy });
      expect(revivableUntilMs(ended)).toBe(untilMs);
      expect(hasExpired(ended)).toBe(expired);
    },
  );
});

describe('the seller of invoices', () => {
  const application = (settings: ApplicationSettings) => ({
    pk: 'APP#1',
    sk: 'APP',
    applicationId: 'app_1',
    name: 'Example',
    redirectUris: [],
    settings,
    keys: {},
    revision: 1,
    createdAtMs: 0,
  });
  const rate = { country: 'FI', percent: 25.5 };
  const noTax = { rates: [], pricesInclude: 'inclusive', reverseCharge: false };
  const usd = { currency: 'USD', rate: 0.92155, source: 'European Central Bank' };
  const banking = { accountHolder: 'Acme', bankName: 'Bank' };
  const legal = { legalName: 'Acme Oy', address: { line1: 'Street 1', city: 'Town', country: 'FI' } };

  test.each<[string, ApplicationSettings, object]>([
    ['nothing', {}, {}],
    ['an account and who sells by law', { banking, seller: legal }, { banking, legal }],
    ['tax', { tax: {} }, { tax: noTax }],
    [
      'tax on prices without it',
      { tax: { rates: [rate], pricesInclude: 'exclusive', reverseCharge: true } },
      { tax: { rates: [rate], pricesInclude: 'exclusive', reverseCharge: true } },
    ],
    [
      'a national currency',
      { tax: { nationalCurrency: 'EUR', exchangeRates: [usd] }, timeZone: 'Europe/Berlin' },
      { tax: { ...noTax, nationalCurrency: 'EUR', exchangeRates: [usd] }, timeZone: 'Europe/Berlin' },
    ],
    ['numbers of each subscription', { invoices: { numbering: 'subscription', invoicePrefix: 'A' } }, {}],
    [
      'a series of numbers',
      { invoices: { numbering: 'seller' } },
      { series: { invoicePrefix: 'INV-', creditNotePrefix: 'CRN-' } },
    ],
    [
      'a series with prefixes',
      { invoices: { numbering: 'seller', invoicePrefix: 'A', creditNotePrefix: 'B' } },
      { series: { invoicePrefix: 'A', creditNotePrefix: 'B' } },
    ],
  ])('with settings of %s', (_, settings, expected) => {
    expect(sellerDetails(application(settings))).toEqual({ name: 'Example', ...expected });
  });
});
