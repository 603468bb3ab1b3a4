import * as z from 'zod/mini';
import { actions } from '../../shared/contract/audit.ts';
import { described } from '../../shared/fields/described.ts';
import { wellFormed } from '../../shared/fields/well-formed.ts';
import { pageFields, periodFields } from '../../shared/lists/requests.ts';
import { AuditRecordSchema } from './schemas.ts';

const { at, reason, before, reset, grant, key, operatorKey } = AuditRecordSchema.shape;

/** The record of an action of an operator, as the list of all actions shows it. */
export const ActionSchema = z.object({
  at,
  action: z
    .string()
    .check(z.meta({ description: 'The kind of the object, and the event.', examples: [actions[0]] })),
  object: z.object({
    kind: z.string(),
    id: z.string(),
    applicationId: z.optional(
      z.string().check(described('The application that the object belongs to, if it belongs to one.')),
    ),
  }),
  by: z.object({
    id: z.string().check(described('The id of the operator key.')),
    name: z.string().check(described('The person who uses the operator key.')),
    from: z
      .string()
      .check(
        described('The address that the request came from; `bootstrap` or `retire` for these commands.'),
      ),
  }),
  reason,
  before,
  reset,
  grant,
  key,
  operatorKey,
});
export type ActionResponse = z.output<typeof ActionSchema>;

const idField = (description: string) =>
  z.optional(z.string().check(z.minLength(1), z.maxLength(256), wellFormed, z.meta({ description })));

/** The filters of the list of all actions, and its page. */
export const ActionListQuery = z.object({
  ...periodFields('the action'),
  keyId: idField('Only actions with this operator key.'),
  objectId: idField('Only actions on the object with this id.'),
  applicationId: idField('Only actions on this application and on its objects.'),
  action: z.optional(z.enum(actions).check(z.meta({ description: 'Only these actions.' }))),
  ...pageFields,
});
export type ActionListQuery = z.output<typeof ActionListQuery>;
