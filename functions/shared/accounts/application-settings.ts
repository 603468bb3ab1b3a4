import * as z from 'zod/mini';
import { lineField } from '../fields/text.ts';

/** The default of each setting. */
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
const day = (minimum: number) => z.int().check(z.gte(minimum), z.lte(365));
const days = (minimum: number, description: string, defaultDays: number) =>
  day(minimum).check(described(`${description}. Default: ${defaultDays}.`));
const flag = (description: string) => z.optional(z.boolean().check(described(description)));

/** Refuses an unknown setting, which would silently do nothing. */
const noUnknownSetting = z.unknown().check(z.refine(() => false, 'is no setting'));

type TextField = (maxLength: number) => z.ZodMiniString;
/** In a response, a text is any: texts that were stored before a rule are still returned. */
const anyText: TextField = () => z.string();

const banking = (field: TextField) => {
  const text = (maxLength: number, description: string) => field(maxLength).check(described(description));
  return {
    accountHolder: text(140, 'Name of the account holder.'),
    bankName: text(140, 'Name of the bank.'),
    accountNumber: z.optional(text(40, 'Account number, where there is no IBAN.')),
    iban: z.optional(text(34, 'ISO 13616.')),
    bic: z.optional(text(11, 'ISO 9362.')),
    branchCode: z.optional(text(40, 'Sort code, routing number or similar.')),
  };
};

const { dunning: defaultDunning, trial, invoices, checkoutMinutes } = defaultSettings;

const dunning = {
  reminderDays: z.optional(
    z.array(day(0)).check(
      z.maxLength(10),
      z.refine((list) => list.every((day, i) => i === 0 || day > (list[i - 1] ?? day)), 'must rise'),
      described(
        `Days after the end of the term on which reminders are sent. Default: ${defaultDunning.reminderDays.join(', ')}.`,
      ),
    ),
  ),
  endsAfterDays: z.optional(
    days(1, 'Days after the end of the term on which the subscription expires', defaultDunning.endsAfterDays),
  ),
  graceDays: z.optional(
    days(0, 'Days after the end of the term for which access stays full', defaultDunning.graceDays),
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

const shapeOf = (textField: TextField) => ({
  paymentGateway: z.optional(
    z
      .enum(['none', 'sandbox', 'stripe'])
      .check(
        described(
          '`none` (the default): clients pay invoices by bank transfer. `sandbox`: a test page without real payments. `stripe`: Stripe Checkout.',
        ),
      ),
  ),
  banking: z.optional(z.catchall(z.object(banking(textField)), noUnknownSetting)),
  dunning: z.optional(z.catchall(z.object(dunning), noUnknownSetting).check(dunningOrder)),
  trial: z.optional(
    z.catchall(
      z.object({
        oncePerClient: flag('Whether each client gets only one trial. Default: true.'),
        reminderDays: z.optional(
          days(0, 'Days before the end of the trial on which a reminder is sent', trial.reminderDays),
        ),
      }),
      noUnknownSetting,
    ),
  ),
  invoices: z.optional(
    z.catchall(
      z.object({
        renewalDays: z.optional(
          days(
            0,
            'Days before the end of the term on which the next invoice is issued',
            invoices.renewalDays,
          ),
        ),
        dueDays: z.optional(days(0, 'Days until the first invoice is due', invoices.dueDays)),
      }),
      noUnknownSetting,
    ),
  ),
  pendingAccess: z.optional(
    z
      .enum(['none', 'restricted', 'full'])
      .check(described('Access until the first payment. Default: `none`.')),
  ),
  // Stripe keeps a Checkout Session open from 30 minutes to 24 hours.
  // https://docs.stripe.com/api/checkout/sessions/create#create_checkout_session-expires_at
  checkoutMinutes: z.optional(
    z
      .int()
      .check(
        z.gte(30),
        z.lte(1_440),
        described(`Minutes for which a checkout link is valid. Default: ${checkoutMinutes}.`),
      ),
  ),
  pkceOptional: flag('Whether a confidential client may use OAuth without PKCE. Default: false.'),
  public: flag(
    'Whether the OAuth client is public: an app or a page that cannot keep a secret. Default: false.',
  ),
});

/** The settings in a request. Each is optional, and an unknown one is refused. */
export const SettingsRequest = z.catchall(z.object(shapeOf(lineField)), noUnknownSetting).check(
  z.refine(({ pkceOptional, public: isPublic }) => !(pkceOptional && isPublic), {
    message: 'does not go with public: PKCE is all that protects its codes',
    path: ['pkceOptional'],
  }),
);

/** The settings in a response. */
export const SettingsResponse = z.object(shapeOf(anyText));

/** The settings of an application. An absent setting has its default. */
export type ApplicationSettings = z.output<typeof SettingsResponse>;
