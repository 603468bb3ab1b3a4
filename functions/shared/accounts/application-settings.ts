import * as z from 'zod/mini';
import { CountryCode } from '../fields/country-code.ts';
import { AnyCountry, postalAddress } from '../fields/postal-address.ts';
import { lineField } from '../fields/text.ts';
import { VatId, vatIdMeta } from '../fields/vat-id.ts';
import { Bic, WrittenIban } from '../money/bank-account.ts';
import { datevSection } from './datev-settings.ts';
import { defaultSettings } from './default-settings.ts';
import {
  choice,
  day,
  days,
  described,
  flag,
  group,
  section,
  type Texts,
  withDefault,
} from './setting-fields.ts';
import { taxSection } from './tax-settings.ts';

function isTimeZone(name: string): boolean {
  // Node takes offsets, such as +01:00, as well.
  if (!/^[A-Z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

const banking = ({ line, iban, bic }: Texts) => {
  const text = (maxLength: number, description: string) => line(maxLength).check(described(description));
  return {
    accountHolder: text(140, 'Name of the account holder.'),
    bankName: text(140, 'Name of the bank.'),
    accountNumber: z.optional(text(40, 'Account number, where there is no IBAN.')),
    iban: z.optional(iban.check(described('ISO 13616.'))),
    bic: z.optional(bic.check(described('ISO 9362.'))),
    branchCode: z.optional(text(40, 'Sort code, routing number or similar.')),
    instructions: z.optional(text(140, 'How to pay, in your words, such as where the account is shown.')),
  };
};

const prefix = (description: string, value: string) =>
  z.optional(
    z
      .string()
      .check(
        z.regex(/^[A-Z0-9][A-Z0-9-]{0,15}$/, 'must be 1 to 16 capital letters, digits and dashes'),
        withDefault(`${description}.`, value),
      ),
  );

const { dunning: defaultDunning, trial, invoices, payments, billingPage, checkoutMinutes } = defaultSettings;

const dunning = {
  reminderDays: z.optional(
    z.array(day(0)).check(
      z.maxLength(10),
      z.refine((list) => list.every((day, i) => i === 0 || day > (list[i - 1] ?? day)), 'must rise'),
      withDefault('Days after the end of the term on which reminders are sent, in rising order.', [
        ...defaultDunning.reminderDays,
      ]),
    ),
  ),
  endsAfterDays: days(
    1,
    'Days after the end of the term on which the subscription expires',
    defaultDunning.endsAfterDays,
  ),
  graceDays: days(0, 'Days after the end of the term for which access stays full', defaultDunning.graceDays),
  newTermStart: choice(
    ['old_end', 'now'],
    'Where the term of a new subscription starts that replaces an overdue one within its days of grace.',
    defaultDunning.newTermStart,
  ),
};

const dunningOrder = z.refine<z.output<z.ZodMiniObject<typeof dunning>>>(
  ({ reminderDays, endsAfterDays, graceDays }) => {
    const end = endsAfterDays ?? defaultDunning.endsAfterDays;
    const latest = (reminderDays ?? defaultDunning.reminderDays).at(-1) ?? 0;
    return latest < end && (graceDays ?? defaultDunning.graceDays) <= end;
  },
  {
    message: 'must be later than the last reminder, and no earlier than the grace ends',
    path: ['endsAfterDays'],
  },
);

const invoicesSection = section('When invoices are issued and due, and how they are numbered.', {
  renewalDays: days(
    0,
    'Days before the end of the term on which the next invoice is issued',
    invoices.renewalDays,
  ),
  dueDays: days(0, 'Days until the first invoice is due', invoices.dueDays),
  numbering: choice(
    ['subscription', 'seller'],
    'The series of the numbers. `subscription`: one for each subscription, after its reference number. `seller`: one for all invoices of the application, without gaps, and another for its credit notes.',
    invoices.numbering,
  ),
  invoicePrefix: prefix(
    'What each number of the series of invoices starts with, where the seller has one',
    invoices.invoicePrefix,
  ),
  creditNotePrefix: prefix(
    'What each number of the series of credit notes starts with, where the seller has one',
    invoices.creditNotePrefix,
  ),
});

const paymentsSection = section('What payments do.', {
  tolerance: z.optional(
    z
      .number()
      .check(
        z.gte(0),
        z.lte(1_000),
        withDefault(
          'How much may be missing from a payment that pays an invoice, as a decimal amount in its currency.',
          payments.tolerance,
        ),
      ),
  ),
  reviveDays: days(
    0,
    'Days after the end of a subscription for which a late payment makes it active again',
    payments.reviveDays,
  ),
  onRefund: choice(
    ['keep', 'cancel'],
    'What a refund of the current term does. `keep`: access stays to the end of the term. `cancel`: the subscription is cancelled.',
    payments.onRefund,
  ),
  processingAccess: choice(
    ['unchanged', 'full', 'restricted', 'none'],
    'Access while a payment is processing, after the trial or the term has ended. `unchanged`: as before the end.',
    payments.processingAccess,
  ),
});

const billingPageSection = section('The billing page of subscribers, and what they may do on it.', {
  enabled: flag('Whether subscribers have a billing page, and mails link to it.', billingPage.enabled),
  pay: flag('Whether the page says how open invoices are paid.', billingPage.pay),
  cancel: flag('Whether subscribers cancel at the end of the period.', billingPage.cancel),
  undoCancel: flag('Whether subscribers undo that cancellation.', billingPage.undoCancel),
  invoiceName: flag('Whether subscribers change the name on future invoices.', billingPage.invoiceName),
  replaceLink: flag(
    'Whether subscribers replace their link, and have the new one mailed.',
    billingPage.replaceLink,
  ),
});

const shapeOf = (texts: Texts) => ({
  paymentGateway: choice(
    ['none', 'sandbox', 'stripe'],
    'How clients pay. `none`: by bank transfer. `sandbox`: on a test page, without real payments; refused where the deployment has no sandbox. `stripe`: with Stripe Checkout.',
    defaultSettings.paymentGateway,
  ),
  banking: section('The account for bank transfers, which every invoice shows.', banking(texts)),
  dunning: z.optional(
    group('What happens when a term ends and the renewal is not paid.', dunning).check(dunningOrder),
  ),
  trial: section('Free trials.', {
    oncePerClient: flag('Whether each client gets only one trial.', trial.oncePerClient),
    reminderDays: days(0, 'Days before the end of the trial on which a reminder is sent', trial.reminderDays),
  }),
  invoices: invoicesSection,
  seller: section('The legal seller. Every invoice names them.', {
    legalName: texts.line(200).check(described('Full name of the seller.')),
    address: group('Full address of the seller.', postalAddress(texts.line, texts.country)),
    vatId: z.optional(texts.vatId),
    registration: z.optional(texts.line(140).check(described('Entry in a commercial register, or similar.'))),
  }),
  tax: taxSection(texts),
  payments: paymentsSection,
  billingPage: billingPageSection,
  datev: datevSection(texts),
  timeZone: z.optional(
    z
      .string()
      .check(
        z.refine(isTimeZone, 'must be the name of a time zone of the IANA database, such as Europe/Berlin'),
        withDefault(
          'The time zone of the seller, by its IANA name: of dates on documents, in mails and on pages, and of the days of lists, of the journal, of DATEV and of reports.',
          defaultSettings.timeZone,
        ),
      ),
  ),
  pendingAccess: choice(
    ['none', 'restricted', 'full'],
    'Access until the first payment.',
    defaultSettings.pendingAccess,
  ),
  // Stripe keeps a Checkout Session open from 30 minutes to 24 hours.
  // https://docs.stripe.com/api/checkout/sessions/create#create_checkout_session-expires_at
  checkoutMinutes: z.optional(
    z
      .int()
      .check(
        z.gte(30),
        z.lte(1_440),
        withDefault('Minutes for which a checkout link is valid.', checkoutMinutes),
      ),
  ),
  pkceOptional: flag(
    'Whether a confidential client may use OAuth without PKCE. Not together with `public`.',
    defaultSettings.pkceOptional,
  ),
  public: flag(
    'Whether the OAuth client is public: an app or a page that cannot keep a secret.',
    defaultSettings.public,
  ),
});

const checkedTexts: Texts = {
  line: lineField,
  country: CountryCode,
  vatId: VatId,
  iban: WrittenIban,
  bic: Bic,
};
const anyTexts: Texts = {
  line: () => z.string(),
  country: AnyCountry,
  vatId: z.string().check(vatIdMeta),
  iban: z.string(),
  bic: z.string(),
};

/** The settings in a request. Each is optional, and an unknown one is refused. */
export const SettingsRequest = z.object(shapeOf(checkedTexts)).check(
  z.refine(({ pkceOptional, public: isPublic }) => !(pkceOptional && isPublic), {
    message: 'does not go with public: PKCE is all that protects its codes',
    path: ['pkceOptional'],
  }),
  z.refine(({ tax: taxSet, seller }) => (taxSet?.rates ?? []).length === 0 || seller !== undefined, {
    message:
      'is required with tax.rates: invoices with tax name the seller, and their country taxes clients without one',
    path: ['seller'],
  }),
  described('Settings of the application. An absent setting has its default, and an unknown one is refused.'),
);

export const SettingsResponse = z
  .object(shapeOf(anyTexts))
  .check(described('The settings that were set. An absent setting has its default.'));

export type ApplicationSettings = z.output<typeof SettingsResponse>;
