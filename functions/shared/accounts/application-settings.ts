import * as z from 'zod/mini';
import { wellFormed } from '../fields/well-formed.ts';

/** What an application does when a setting is left out. */
export const defaultSettings = {
  paymentGateway: 'none',
  dunning: { reminderDays: [0, 2, 7, 14], endsAfterDays: 21, graceDays: 7 },
  trial: { oncePerClient: true, reminderDays: 3 },
  invoices: { renewalDays: 7, dueDays: 7 },
  pendingAccess: 'none',
  checkoutMinutes: 1_440,
  pkceOptional: false,
  public: false,
} as const;

const described = (description: string) => z.meta({ description });
const text = (maxLength: number, description: string) =>
  z.string().check(z.minLength(1), z.maxLength(maxLength), wellFormed, described(description));
const day = (least: number) => z.int().check(z.gte(least), z.lte(365));
const days = (least: number, description: string, fallback: number) =>
  day(least).check(described(`${description}; ${fallback} by default.`));
const flag = (description: string) => z.optional(z.boolean().check(described(description)));

/** A setting that nobody reads would silently do nothing. */
const nothingElse = z.unknown().check(z.refine(() => false, 'is no setting'));

const banking = {
  accountHolder: text(140, 'In whose name the account is.'),
  bankName: text(140, 'The bank.'),
  accountNumber: z.optional(text(40, 'Where there is no IBAN.')),
  iban: z.optional(text(34, 'ISO 13616.')),
  bic: z.optional(text(11, 'ISO 9362.')),
  branchCode: z.optional(text(40, 'Sort code, routing number or the like.')),
};

const { dunning: defaultDunning, trial, invoices, checkoutMinutes } = defaultSettings;

const dunning = {
  reminderDays: z.optional(
    z.array(day(0)).check(
      z.maxLength(10),
      z.refine((given) => given.every((day, i) => i === 0 || day > (given[i - 1] ?? day)), 'must rise'),
      described(`Days after the end of the term; ${defaultDunning.reminderDays.join(', ')} by default.`),
    ),
  ),
  endsAfterDays: z.optional(days(1, 'The subscription then expires', defaultDunning.endsAfterDays)),
  graceDays: z.optional(days(0, 'So long access stays full', defaultDunning.graceDays)),
};

const dunningEnds = z.refine<z.output<z.ZodMiniObject<typeof dunning>>>(
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

const shape = {
  paymentGateway: z.optional(
    z
      .enum(['none', 'sandbox', 'stripe'])
      .check(
        described('`none` (by default): invoices, paid by bank transfer. `sandbox`: a page to try it with.'),
      ),
  ),
  banking: z.optional(z.catchall(z.object(banking), nothingElse)),
  dunning: z.optional(z.catchall(z.object(dunning), nothingElse).check(dunningEnds)),
  trial: z.optional(
    z.catchall(
      z.object({
        oncePerClient: flag('One trial a client; by default.'),
        reminderDays: z.optional(days(0, 'Days before the trial ends', trial.reminderDays)),
      }),
      nothingElse,
    ),
  ),
  invoices: z.optional(
    z.catchall(
      z.object({
        renewalDays: z.optional(days(0, 'Days before the end of the term', invoices.renewalDays)),
        dueDays: z.optional(days(0, 'Days to pay the first one', invoices.dueDays)),
      }),
      nothingElse,
    ),
  ),
  pendingAccess: z.optional(
    z
      .enum(['none', 'restricted', 'full'])
      .check(described('While the first payment is awaited; `none` by default.')),
  ),
  // Stripe keeps a Checkout Session open from 30 minutes to 24 hours.
  // https://docs.stripe.com/api/checkout/sessions/create#create_checkout_session-expires_at
  checkoutMinutes: z.optional(
    z
      .int()
      .check(
        z.gte(30),
        z.lte(1_440),
        described(`So long a checkout link is good; ${checkoutMinutes} by default.`),
      ),
  ),
  pkceOptional: flag('OAuth without PKCE, for a confidential client that cannot; false by default.'),
  public: flag('An OAuth client that can keep no secret (an app, a page); false by default.'),
};

/** The settings as a request carries them: each may be left out, and one that there is none of is refused. */
export const GivenSettings = z.catchall(z.object(shape), nothingElse).check(
  z.refine(({ pkceOptional, public: isPublic }) => !(pkceOptional && isPublic), {
    message: 'does not go with public: PKCE is all that protects its codes',
    path: ['pkceOptional'],
  }),
);

/** The settings as an answer shows them. */
export const ShownSettings = z.object(shape);

/** What an application has set; what is left out is as the descriptions say. */
export type ApplicationSettings = z.output<typeof ShownSettings>;
