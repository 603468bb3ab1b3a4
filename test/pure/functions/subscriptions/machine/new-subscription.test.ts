import type { Client } from '../../../../../functions/clients/client.ts';
import { receivable, transfer } from '../../../../../functions/ledger/entry.ts';
import type { Plan } from '../../../../../functions/plans/plan.ts';
import type { ApplicationSettings } from '../../../../../functions/shared/accounts/application-settings.ts';
import { ApiError } from '../../../../../functions/shared/contract/errors.ts';
import { dayMs } from '../../../../../functions/shared/runtime/clock.ts';
import { accessWithCredit } from '../../../../../functions/subscriptions/commands/access-with-credit.ts';
import { withCoveredTerm } from '../../../../../functions/subscriptions/machine/covered-term.ts';
import { transitionContext } from '../../../../../functions/subscriptions/machine/event.ts';
import { invoiceOf, invoicesAfter } from '../../../../../functions/subscriptions/machine/invoice-changes.ts';
import {
  newSubscription,
  type SubscriptionRequest,
} from '../../../../../functions/subscriptions/machine/new-subscription.ts';
import { nextStep } from '../../../../../functions/subscriptions/record/next-step.ts';
import type {
  Subscription,
  SubscriptionFields,
} from '../../../../../functions/subscriptions/record/subscription.ts';
import { invoiceRecord, subscriptionRecord } from '../../../../support/subscriptions/sold.ts';
import {
  freePlan,
  inTerm,
  onTrial,
  sampleNowMs,
  sampleOf,
  samplesIn,
} from '../../../../support/subscriptions/state-samples.ts';

const client: Client = {
  applicationId: 'app_1',
  externalId: 'user-1',
  email: 'ann@example.com',
  createdAtMs: 0,
  updatedAtMs: 0,
  createdBy: 'a',
  writtenBy: 'a',
};
const plan: Plan = {
  planId: 'pln_1',
  applicationId: 'app_1',
  name: 'Pro',
  description: '',
  priceMinor: 999,
  currency: 'EUR',
  billingCycle: 'monthly',
  trialPeriodDays: 14,
  features: [],
  isActive: true,
  revision: 1,
  createdAtMs: 0,
  updatedAtMs: 0,
};
const deps = {
  clock: { nowMs: () => sampleNowMs },
  newId: (prefix: string) => `${prefix}_new`,
  random: () => 0,
};

function startOf({
  request = {},
  settings = {},
  of = {},
  sold = {},
  concurrent,
}: {
  request?: Partial<SubscriptionRequest>;
  settings?: ApplicationSettings;
  of?: Partial<Client>;
  sold?: Partial<Plan>;
  concurrent?: Subscription | undefined;
}) {
  const application = {
    pk: 'a',
    sk: 'a',
    applicationId: 'app_1',
    name: 'Example',
    redirectUris: [],
    settings,
    keys: {},
    revision: 1,
    createdAtMs: 0,
  };
  const inputs = {
    application,
    plan: { ...plan, ...sold },
    client: { ...client, ...of },
    baseUrl: 'https://api.test',
    concurrent,
  };
  return newSubscription({ autoRenew: true, ...request }, inputs, deps);
}

const begun = (given: Parameters<typeof startOf>[0]) => startOf(given).next;

describe('a new subscription', () => {
  test('keeps the request, the plan and the settings as they are now', () => {
    const settings: ApplicationSettings = { paymentGateway: 'sandbox', pendingAccess: 'full' };
    const request = { autoRenew: false, quantity: 3, successUrl: 'https://a.test/', startDate: '2027-03-20' };
    const next = begun({ request, settings, sold: { quantity: { min: 1, max: 5 }, trialPeriodDays: 0 } });
    expect(next).toMatchObject({
      subscriptionId: 'sub_new',
      applicationId: 'app_1',
      externalId: 'user-1',
      referenceNumber: 'SUB-00000000',
      status: 'pending',
      plan: { planId: 'pln_1', quantity: 3 },
      policy: { pendingAccess: 'full' },
      seller: { name: 'Example' },
      gateway: 'sandbox',
      baseUrl: 'https://api.test',
      autoRenew: false,
      cancelAtPeriodEnd: false,
      startAtMs: Date.parse('2027-03-20'),
      invoiceCount: 1,
      openInvoices: [{ n: 1, invoiceId: 'inv_new', totalMinor: 2_997 }],
      successUrl: 'https://a.test/',
      createdAtMs: sampleNowMs,
      updatedAtMs: sampleNowMs,
      revision: 1,
      timerVersion: 1,
    });
    expect('cancelUrl' in next).toBe(false);
    expect(next.movements).toEqual([]);
    expect(startOf({}).entry.by).toBe('application');
    expect(begun({}).startAtMs).toBe(sampleNowMs);
  });

  const [trialing] = samplesIn('trialing');
  const [overdue] = samplesIn('past_due');
  test.each<[string, Parameters<typeof begun>[0], string]>([
    ['a first trial', {}, 'trialing'],
    ['a trial that was used', { of: { trialUsedAtMs: 1 } }, 'pending'],
    [
      'a trial that may be used again',
      { of: { trialUsedAtMs: 1 }, settings: { trial: { oncePerClient: false } } },
      'trialing',
    ],
    ['a plan without a trial', { sold: { trialPeriodDays: 0 } }, 'pending'],
    ['another subscription that runs', { concurrent: trialing }, 'pending'],
    ['a free plan', { sold: { priceMinor: 0, trialPeriodDays: 0 } }, 'active'],
    ['credit that suffices', { of: { credit: { EUR: 999 } }, sold: { trialPeriodDays: 0 } }, 'active'],
    [
      'credit that does not suffice',
      { of: { credit: { EUR: 998 } }, sold: { trialPeriodDays: 0 } },
      'pending',
    ],
    ['credit in another currency', { of: { credit: { USD: 999 } }, sold: { trialPeriodDays: 0 } }, 'pending'],
  ])('with %s: %o is %s', (_, given, status) => {
    expect(begun(given).status).toBe(status);
  });

  test('of a free plan takes over the trial, or the arrears, of the one that it replaces', () => {
    const free = { priceMinor: 0, trialPeriodDays: 0 };
    const afterTrial = sampleOf('active', { ...inTerm, ...onTrial });
    const starts = [trialing, overdue, afterTrial].map((concurrent) => {
      const { startAtMs, trialRemainder } = begun({ sold: free, concurrent });
      return [(startAtMs - sampleNowMs) / dayMs, trialRemainder];
    });
    const { trialStartMs: fromMs, trialEndMs: untilMs } = onTrial;
    expect(starts).toEqual([
      [4, { fromMs, untilMs }],
      [-1, undefined],
      [0, undefined],
    ]);
  });

  test('is refused when its trial would be over', () => {
    const refusal = { details: { startDate: 'is so long ago that the trial would be over' } };
    for (const startDate of ['2027-02-20', '2027-02-24T12:00:00Z'])
      expect(() => begun({ request: { startDate } })).toThrow(new ApiError('invalid_request', refusal));
    expect(begun({ request: { startDate: '2027-02-25' } }).status).toBe('trialing');
  });
});

describe('while the steps are late, a term that credit covers', () => {
  const late = (fields: Partial<SubscriptionFields>, dueDays: number): Subscription => {
    const one = sampleOf('active', { ...inTerm, termEndMs: sampleNowMs - dayMs, ...fields });
    const timer = nextStep(one);
    return timer === undefined
      ? one
      : { ...one, timer: { ...timer, dueAtMs: sampleNowMs + dueDays * dayMs } };
  };
  const longAgo = {
    billingAnchor: { atMs: sampleNowMs - 40 * dayMs, cycle: 'monthly' },
    termIndex: 0,
    termEndMs: sampleNowMs - 40 * dayMs,
  } as const;
  const accessWith = async (subscription: Subscription, credit?: Record<string, number>) => {
    const get = vi.fn(async () => credit && { ...client, credit });
    const access = await accessWithCredit(subscription, sampleNowMs, { clients: { get } });
    return `${access}${get.mock.calls.length > 0 ? '' : ', unread'}`;
  };

  test.each<[string, Partial<SubscriptionFields>, number, Record<string, number> | undefined, string]>([
    ['gives access with enough credit', {}, -8, { EUR: 999 }, 'full'],
    ['gives none beyond grace with too little', {}, -8, { EUR: 998 }, 'grace'],
    ['gives none without the client', {}, -8, undefined, 'grace'],
    ['gives access from the moment of the step', {}, 0, { EUR: 999 }, 'full'],
    ['gives none before the step is due', {}, 1, { EUR: 999 }, 'grace, unread'],
    ['gives access that does not need it', { termEndMs: sampleNowMs + 1 }, -1, { EUR: 999 }, 'full, unread'],
    ['gives none to one that was cancelled', { cancelAtPeriodEnd: true }, -1, { EUR: 999 }, 'none'],
    ['gives access for several terms', longAgo, -47, { EUR: 1_998 }, 'full'],
    ['gives access for the terms that it suffices for', longAgo, -47, { EUR: 999 }, 'none'],
  ])('%s', async (_, fields, dueDays, credit, access) => {
    expect(await accessWith(late(fields, dueDays), credit)).toBe(access);
  });

  test.each(['pending', 'past_due', 'cancelled', 'expired'] as const)(
    'does not begin: %s',
    async (status) => {
      expect(await accessWith(subscriptionRecord({ ...late({}, -8), status }), { EUR: 999 })).toMatch(
        /, unread$/,
      );
    },
  );

  test('is that of the planned change, and the subscription stays as it was without one', async () => {
    const planned = late({ plannedChange: freePlan }, -8);
    expect(withCoveredTerm(planned, client, sampleNowMs).plan).toEqual(freePlan);
    const overdue = late({}, -8);
    expect(withCoveredTerm(overdue, client, sampleNowMs)).toBe(overdue);
    const early = late({ termEndMs: sampleNowMs + dayMs }, -8);
    const rich = { ...client, credit: { EUR: 999 } };
    expect(withCoveredTerm(early, rich, sampleNowMs)).toBe(early);
    const stale: Subscription = { ...overdue, timer: { step: 'trial_end', dueAtMs: sampleNowMs } };
    expect(withCoveredTerm(stale, rich, sampleNowMs)).toBe(stale);
    const { timer: _, ...still } = overdue;
    expect(withCoveredTerm(still, rich, sampleNowMs)).toBe(still);
    expect(await accessWith(still, { EUR: 999 })).toBe('grace, unread');
  });
});

test('ids are new ones at the present time', () => {
  const context = transitionContext({ event: 'cancel' }, { by: 'application', client }, deps);
  expect([context.newInvoiceId(), context.newCreditNoteId()]).toEqual(['inv_new', 'crn_new']);
});

describe('what a change leaves', () => {
  const subscription = sampleOf('active', { ...inTerm });
  test('of invoices is those that it issued, and the others with their updates, each one event', () => {
    const first = invoiceRecord(subscription, 1, { eventCount: 2 });
    const second = invoiceRecord(subscription, 2);
    const other = { ...invoiceRecord(subscription, 1), subscriptionId: 'sub_other' };
    const issued = [invoiceRecord(subscription, 3)];
    const updated = [{ n: 1, status: 'paid' as const }, { n: 2 }];
    const booked = { from: receivable(2), to: { account: 'bank' }, amountMinor: 5 } as const;
    const books = [transfer('payment', second, booked)];
    expect(invoicesAfter({ next: subscription, issued, updated, books }, [first, other, second])).toEqual([
      ...issued,
      { ...first, status: 'paid', eventCount: 3 },
      other,
      {
        ...second,
        settled: { paidMinor: 5 },
        postings: [[subscription.updatedAtMs, -5]],
        eventCount: 1,
      },
    ]);
    expect(invoiceOf(subscription, { n: 1 }, [other, first])).toBe(first);
  });
});
