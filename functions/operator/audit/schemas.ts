import * as z from 'zod/mini';
import { described } from '../../shared/fields/described.ts';
import { cursorField, limitField, nextCursorField } from '../../shared/fields/page.ts';

/** The largest page of a history. */
const maxPage = 100;

export const HistoryQuery = z.object({
  limit: limitField(maxPage, 'The maximum number of entries; 50 by default.'),
  cursor: cursorField,
});

export const Ended = z
  .object({ devices: z.boolean(), proof: z.boolean(), vault: z.boolean() })
  .check(described('What the request ended.'));

export const AuditRecordSchema = z.object({
  event: z
    .enum([
      'created',
      'changed',
      'email_changed',
      'status_changed',
      'verified_changed',
      'name_changed',
      'reset',
      'grant_withdrawn',
      'key_created',
      'key_revoked',
      'revoked',
    ])
    .check(described('A change of several fields of a user is named after the first of them.')),
  revision: z.int().check(described('The revision of the record that the event led to.')),
  at: z.iso.datetime(),
  by: z.object({
    kind: z.enum(['operator', 'user']).check(described('`user`: the user did it on the account page.')),
    id: z.optional(z.string().check(described('The id of the operator key.'))),
    name: z.optional(z.string().check(described('The person who uses the operator key.'))),
    from: z.optional(
      z
        .string()
        .check(
          described('The address that the request came from; `bootstrap` or `retire` for these commands.'),
        ),
    ),
  }),
  reason: z.optional(z.string()),
  before: z.optional(
    z.record(z.string(), z.unknown()).check(described('The former values of the changed fields.')),
  ),
  reset: z.optional(Ended),
  grant: z.optional(
    z.object({ id: z.string(), applicationId: z.string() }).check(described('The grant that was withdrawn.')),
  ),
  key: z.optional(
    z.object({ id: z.string(), kind: z.string() }).check(described('The key of the application.')),
  ),
  operatorKey: z.optional(
    z
      .object({ name: z.string(), scopes: z.array(z.string()) })
      .check(described('The person and the scopes of the operator key.')),
  ),
});

export const History = z.object({
  history: z.array(AuditRecordSchema),
  nextCursor: nextCursorField(
    'Present when there are earlier events. Pass it as `cursor` to get the next page.',
  ),
});
