import * as z from 'zod/mini';
import { cursorField, limitField } from '../../shared/fields/page.ts';

const described = (description: string) => z.meta({ description });

/** The largest page of the list. One batch reads up to 100 entries. */
const maxPage = 100;

export const MailListQuery = z.object({
  limit: limitField(maxPage, `The maximum number of mails, 1 to ${maxPage}; 50 by default.`),
  state: z.optional(
    z
      .enum(['given_up', 'held'])
      .check(
        described(
          '`given_up` by default: mails that are not tried again. `held`: mails that wait for the next day, because their application has used up its mails of the day.',
        ),
      ),
  ),
  cursor: cursorField,
});

export const MailPath = z.object({
  mailId: z.string().check(described('The `_id` of the list, percent-encoded.')),
});

const UndeliveredMail = z.object({
  _id: z.string(),
  applicationId: z.string(),
  subscriptionId: z.string(),
  kind: z.string().check(described('The template of the mail, or `close_checkout`.')),
  createdAt: z.iso.datetime(),
  givenUpAt: z.optional(z.iso.datetime()).check(described('Present on mails that were given up.')),
  heldUntil: z.optional(z.iso.datetime()).check(described('When a mail that is held is tried again.')),
  heldBy: z
    .optional(z.enum(['recipient', 'application']))
    .check(described('Whether the mails to its recipient or all mails of the application are used up.')),
  attempts: z.int().check(described('All tries, refused ones included.')),
  possibleCopies: z.int().check(described('Tries after which SES may have accepted the mail.')),
  failure: z
    .optional(z.string())
    .check(described('Of a mail that was given up: the name of the last error.')),
});

export const UndeliveredMails = z.object({
  mails: z.array(UndeliveredMail),
  nextCursor: z.optional(
    z.string().check(described('Present when there are more. Pass it as `cursor` to get the next page.')),
  ),
});

export const RedrivenMail = z.object({ success: z.literal(true) });

export const RedrivenMails = z.object({
  redriven: z.int().check(described('The number of mails that are due again.')),
  hasMore: z.boolean().check(described('Whether more were given up: repeat the request.')),
});
