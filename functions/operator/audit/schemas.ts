import * as z from 'zod/mini';
import { actions } from '../../shared/contract/audit.ts';
import { described } from '../../shared/fields/described.ts';
import { cursorField, limitField, nextCursorField } from '../../shared/fields/page.ts';
import { wellFormed } from '../../shared/fields/well-formed.ts';
import { pageFields, periodFields } from '../../shared/lists/requests.ts';

const maxPage = 100;

export const HistoryQuery = z.object({
  limit: limitField(maxPage, 'The maximum number of entries; 50 by default.'),
  cursor: cursorField,
});

export const Ended = z
  .object({ devices: z.boolean(), proof: z.boolean(), vault: z.boolean() })
  .check(described('What the request ended.'));

export const AuditRecordSchema = z.object({
  at: z.iso.datetime(),
  action: z.string().check(
    z.meta({
      description:
        'The kind of the object, and what was done to it. A change of several fields of a user is named after the first of them.',
      examples: [actions[0]],
    }),
  ),
  object: z.object({
    kind: z.string(),
    id: z.string(),
    applicationId: z.optional(
      z.string().check(described('The application that the object belongs to, if it belongs to one.')),
    ),
  }),
  by: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('operator'),
      id: z.string().check(described('The id of the operator key.')),
      name: z.string().check(described('The person who uses the operator key.')),
      from: z
        .string()
        .check(
          described('The address that the request came from; `bootstrap` or `retire` for these commands.'),
        ),
    }),
    z.object({ kind: z.literal('user').check(described('The user did it on the account page.')) }),
  ]),
  reason: z.optional(z.string()),
  revision: z.optional(
    z.int().check(described('The revision of the object that the action led to. Some objects have none.')),
  ),
  before: z.optional(
    z
      .record(z.string(), z.unknown())
      .check(
        described(
          'The former values of the changed fields. Of a confirmed bank statement: decisions that overrode a match and decisions of other people, of up to 50 entries, with the match that was found.',
        ),
      ),
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
export type AuditRecordResponse = z.output<typeof AuditRecordSchema>;

export const History = z.object({
  history: z.array(AuditRecordSchema),
  nextCursor: nextCursorField(
    'Present when there are earlier actions. Pass it as `cursor` to get the next page.',
  ),
});

const idField = (description: string) =>
  z.optional(z.string().check(z.minLength(1), z.maxLength(256), wellFormed, z.meta({ description })));

export const ActionListQuery = z.object({
  ...periodFields('the time of the action', 'UTC'),
  keyId: idField('Only actions with this operator key.'),
  objectId: idField('Only actions on the object with this id.'),
  applicationId: idField('Only actions on this application and on its objects.'),
  action: z.optional(z.enum(actions).check(z.meta({ description: 'Only this action.' }))),
  ...pageFields,
});
export type ActionListQuery = z.output<typeof ActionListQuery>;
