import * as z from 'zod/mini';
import { postalAddress } from '../../shared/fields/postal-address.ts';
import { creditNoteReasons } from '../../invoices/credit-note.ts';
import { invoiceStatuses } from '../../invoices/invoice.ts';
import { paymentMethods, paymentSources, paymentStatuses, unappliedReasons } from '../../payments/record/payment.ts';
import { BillingCycle, OnePlan } from '../../plans/plan.ts';
import { statuses } from '../record/subscription.ts';

const Time = z.iso.datetime();
const Status = z.enum(statuses);
const described = (description: string) => z.meta({ description });
const Amount = z.number().check(described('A decimal amount in the currency.'));

export const PlanList = z.object({
  plans: z.array(OnePlan.shape.plan),
  nextCursor: z.optional(
    z
      .string()
      .check(described('Present when there are more items. Pass it as `cursor` to get the next page.')),
  ),
});

const Address = z.object(postalAddress(() => z.string()));

export const OneClient = z.object({
  client: z.object({
    externalId: z.string(),
    email: z.string(),
    name: z.optional(z.string()),
    address: z.optional(Address),
    vatId: z.optional(z.string()),
    metadata: z.optional(z.record(z.string(), z.unknown())),
    createdAt: Time,
    updatedAt: Time,
  }),
});

const PlanOfSubscription = z.object({
  _id: z.string(),
  name: z.string(),
  price: Amount,
  currency: z.string(),
  billingCycle: BillingCycle,
  features: z.array(z.string()).check(described('The features of the plan when it was sold.')),
});

/** The fields of a subscription in every response. */
const common = {
  _id: z.string(),
  referenceNumber: z.string(),
  status: Status,
  startDate: Time.check(described('When access starts.')),
  endDate: Time.check(
    described(
      'The end of the paid term. Before the first term: the end of the trial or, without a trial, the time of creation, because nothing is paid. It stays when the subscription ends before, as after a refund that cancels: `endedAt` is when it ended, and with it the access.',
    ),
  ),
  trialStart: z.optional(Time),
  trialEnd: z.optional(Time),
  autoRenew: z.boolean(),
  quantity: z.optional(
    z.int().check(described('How many units, such as seats, where the plan is sold in quantities.')),
  ),
  plannedChange: z
    .optional(z.object({ planId: z.string(), quantity: z.optional(z.int()), effectiveAt: z.optional(Time) }))
    .check(described('The plan from the end of the term on, if a change is planned.')),
};

/** A subscription as returned by changes. */
export const ChangedSubscription = z.object({
  subscription: z.object({
    ...common,
    planId: z.string(),
    cancelAtPeriodEnd: z.optional(z.boolean()),
    resumesAt: z.optional(Time),
  }),
});

const present = {
  ...common,
  externalId: z.string(),
  entitled: z.boolean(),
  access: z
    .enum(['full', 'grace', 'restricted', 'none'])
    .check(described('Computed from the dates. `grace` is full access while a payment is overdue.')),
  termStart: z.optional(Time.check(described('Start of the paid term.'))),
  cancelAtPeriodEnd: z.boolean(),
  pausedAt: z.optional(Time),
  resumesAt: z.optional(Time),
  endedAt: z.optional(
    Time.check(
      described(
        'When the subscription ended, and with it the access. It can be before `endDate`. Absent while it has not ended.',
      ),
    ),
  ),
  endReason: z.optional(
    z.enum(['cancelled', 'period_over', 'superseded', 'replaced', 'trial_over', 'unpaid', 'not_renewed']),
  ),
  createdAt: Time,
};

/** The object of every read, with the id of its plan. */
export const CreatedSubscription = z.object({
  subscription: z.object({ ...present, planId: z.string() }),
  checkoutUrl: z.optional(z.string().check(described('The payment page. Only with a payment gateway.'))),
});

export const subscription = { ...present, planId: PlanOfSubscription };

export const CurrentSubscription = z.object({ subscription: z.object(subscription) });

const Banking = z.object({
  accountHolder: z.string(),
  bankName: z.string(),
  accountNumber: z.optional(z.string()),
  iban: z.optional(z.string()),
  bic: z.optional(z.string()),
  branchCode: z.optional(z.string()),
});

const Party = z.object({
  name: z.string(),
  address: z.optional(Address),
  vatId: z.optional(z.string()),
  registration: z.optional(z.string()),
});

const taxLine = {
  name: z.string(),
  country: z.string(),
  percent: z.number(),
  taxable: Amount,
  tax: Amount,
  exemption: z.optional(z.string()),
};

const invoice = {
  _id: z.string(),
  number: z.string(),
  status: z.enum(invoiceStatuses),
  subscriptionId: z.string(),
  currency: z.string(),
  total: Amount,
  amountDue: Amount.check(described('What is still due of an open invoice, a decimal amount. Otherwise 0.')),
  lines: z.array(z.object({ description: z.string(), quantity: z.int(), amount: Amount })),
  pricesInclude: z.optional(
    z
      .enum(['inclusive', 'exclusive'])
      .check(described('Whether the amounts of the lines include the tax. Only with tax.')),
  ),
  taxes: z.optional(z.array(z.object(taxLine)).check(described('The tax in `total`, by rate.'))),
  reverseCharge: z.optional(z.boolean().check(described('Whether the customer owes the tax.'))),
  periodStart: z.optional(Time),
  periodEnd: z.optional(Time),
  paymentReference: z.string().check(described('The reference to quote with a bank transfer.')),
  banking: z.optional(Banking),
  seller: z.optional(Party.check(described('The legal seller. Only with the setting `seller`.'))),
  customer: z.optional(
    z
      .object({
        name: z.optional(z.string()),
        email: z.string(),
        address: z.optional(Address),
        vatId: z.optional(z.string()),
      })
      .check(described('As billed. Only with an address or a VAT id.')),
  ),
  rfReference: z.optional(
    z.string().check(described('The same reference as ISO 11649. Only in EUR, with an IBAN.')),
  ),
  issuedAt: Time,
  dueAt: Time,
  paidAt: z.optional(Time),
  reversed: z.optional(z.boolean().check(described('Whether a payment of this invoice was reversed.'))),
};

export const OneInvoice = z.object({ invoice: z.object(invoice) });

const creditNote = {
  _id: z.string(),
  number: z.string(),
  subscriptionId: z.string(),
  invoiceId: z.string(),
  invoice: z.string().check(described('The number of the invoice that it corrects.')),
  reason: z.enum(creditNoteReasons),
  currency: z.string(),
  total: Amount.check(described('What is credited, tax included. A positive decimal amount.')),
  issuedAt: Time,
};

/** A credit note. It is the `data` of an event. */
export const OneCreditNote = z.object({ creditNote: z.object(creditNote) });

/** A payment. It is also the `data` of the events `payment.*`. */
export const OnePayment = z.object({
  payment: z.object({
    _id: z.string().check(described('Derived from `source` and `sourceId`: a payment is recorded once.')),
    source: z.enum(paymentSources).check(described('Who reported the payment.')),
    sourceId: z
      .string()
      .check(
        described(
          'The id of the payment at its source: a payment intent, an entry of a bank statement, or your own id.',
        ),
      ),
    method: z.enum(paymentMethods),
    amount: Amount,
    currency: z.string(),
    valueDate: Time.check(
      described(
        'When the money moved. This date, and not that of the record, decides whether the payment is in time.',
      ),
    ),
    status: z
      .enum(paymentStatuses)
      .check(
        described(
          [
            'How the amount was used. `processing`: the money has not arrived. `applied`: it paid invoices, and the rest is credit.',
            '`partial`: it paid a part of an invoice. `credit`: all of it is credit of the client.',
            '`unapplied`: it waits for your decision. `refunded`, `disputed`: the gateway took it back.',
            '`returned`: it was sent back, or never arrived.',
          ].join(' '),
        ),
      ),
    applied: z
      .array(
        z.object({ invoiceId: z.string(), number: z.string(), subscriptionId: z.string(), amount: Amount }),
      )
      .check(described('The invoices that it paid, in full or in part.')),
    credited: Amount.check(described('What became credit of the client.')),
    returned: Amount.check(described('What was sent back, or taken back by the gateway.')),
    waiting: Amount.check(described('What is processing, or waits for your decision.')),
    unappliedReason: z.optional(z.enum(unappliedReasons).check(described('Why it waits for a decision.'))),
    returnReason: z.optional(z.string().check(described('Why you sent it back.'))),
    externalId: z.optional(z.string()),
    subscriptionId: z.optional(z.string()),
    invoiceId: z.optional(z.string().check(described('The invoice that the payer or the gateway named.'))),
    reference: z.optional(z.string().check(described('The reference as the payer typed it.'))),
    payer: z.optional(z.object({ name: z.optional(z.string()), iban: z.optional(z.string()) })),
    recordedAt: Time,
    updatedAt: Time,
  }),
});

const timelineEntry = {
  at: Time,
  event: z.string(),
  by: z.enum(['application', 'timer', 'gateway', 'subscriber']),
  from: z.optional(Status),
  to: Status,
  invoices: z
    .optional(z.array(z.string()))
    .check(described('Numbers of the invoices that the event issued or updated.')),
  creditNotes: z
    .optional(z.array(z.string()))
    .check(described('Numbers of the credit notes that the event issued.')),
  payment: z
    .optional(z.object({ _id: z.string(), amount: Amount, currency: z.string() }))
    .check(described('The payment that the event is about, with its whole amount.')),
  reason: z.optional(z.string().check(described('Why the application changed it, in its words.'))),
  unapplied: z
    .optional(z.object({ invoice: z.optional(z.string()), paymentId: z.string() }))
    .check(
      described(
        'A payment that could not be applied, for example because it was a duplicate. Apply it, or send it back.',
      ),
    ),
};

export const OneSubscription = z.object({
  subscription: z.object({
    ...subscription,
    invoices: z
      .array(z.object(invoice))
      .check(described('A page of the invoices, the latest on the first page. In order of their numbers.')),
    timeline: z
      .array(z.object(timelineEntry))
      .check(described('A page of the timeline, the latest entries on the first page. Oldest first.')),
    creditNotes: z
      .optional(z.array(z.object(creditNote)))
      .check(described('The latest 100 credit notes, on the first page. Absent without any.')),
  }),
  nextCursor: z.optional(
    z
      .string()
      .check(
        described(
          'Present when there are earlier invoices or entries. Pass it as `cursor` to get the page before.',
        ),
      ),
  ),
});
