import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { described } from '../../shared/fields/described.ts';
import { lineField } from '../../shared/fields/text.ts';
import { changeFields, sellerChangeRoute } from './change-route.ts';

const at = (description: string) =>
  z.optional(z.iso.datetime({ offset: true }).check(described(description)));

const changes = {
  trialEnd: at('The new end of the trial: later than the present one, by up to 366 days.'),
  endDate: at('The new end of the paid term: later than the present one, by up to 366 days.'),
  autoRenew: z.optional(
    z.boolean().check(described('Whether the subscription renews at the end of each term.')),
  ),
};

const SubscriptionChange = z
  .object({
    ...changes,
    revision: changeFields.revision,
    reason: lineField(500).check(
      described('Why, for the timeline. The subscriber does not see it.', 'Apology for the outage of 3 May'),
    ),
  })
  .check(
    z.refine(
      (body) => [body.trialEnd, body.endDate, body.autoRenew].filter((v) => v !== undefined).length === 1,
      {
        message: 'exactly one of trialEnd, endDate and autoRenew must be given',
        path: ['trialEnd'],
      },
    ),
  );

export const route = defineRoute({
  ...sellerChangeRoute,
  path: '/api/v1/subscriptions/{id}',
  alsoAt: '/subscriptions/{id}',
  words: { title: 'Change the end or the renewal', notice: 'The subscription is changed.' },
  summary: 'Extends a trial, grants days, or switches automatic renewal.',
  description: `\
The body has a \`reason\`, which the timeline keeps, and exactly one of these:

- \`trialEnd\`: a later end of the trial. The reminder and the invoice of the first term move with it.
- \`endDate\`: a later end of the paid term, at no charge. An open invoice of the next term moves with it. A subscription
  that is past due becomes active again, and is due at the new end; not if it owes a payment that was reversed.
- \`autoRenew\`: whether the subscription renews. With \`false\` it ends with its paid term, and an open invoice of a later
  term becomes void then. A subscription that is past due cannot be switched: cancel it.

The values are those that the subscription has afterwards, so that a repeated request changes nothing and returns 200. An
earlier end is an \`invalid_request\`. The subscriber gets a mail that confirms the change.`,
  method: 'PATCH',
  body: SubscriptionChange,
});
