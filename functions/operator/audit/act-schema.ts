import * as z from 'zod/mini';
import { acts } from '../../shared/contract/audit.ts';
import { described } from '../../shared/fields/described.ts';
import { wellFormed } from '../../shared/fields/well-formed.ts';
import { pageFields, periodFields } from '../../shared/lists/requests.ts';
import { AuditRecordSchema } from './schemas.ts';

const { at, reason, before, reset, grant, key, operatorKey } = AuditRecordSchema.shape;

/** The record of an act of an operator, as the list of all acts shows it. */
export const ActSchema = z.object({
  at,
  act: z
    .string()
    .check(z.meta({ description: 'The kind of the object, and the event.', examples: [acts[0]] })),
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
export type ActResponse = z.output<typeof ActSchema>;

const idField = (description: string) =>
  z.optional(z.string().check(z.minLength(1), z.maxLength(256), wellFormed, z.meta({ description })));

/** The filters of the list of all acts, and its page. */
export const ActListQuery = z.object({
  ...periodFields('the act'),
  keyId: idField('Only acts with this operator key.'),
  objectId: idField('Only acts on the object with this id.'),
  applicationId: idField('Only acts on this application and on its objects.'),
  act: z.optional(z.enum(acts).check(z.meta({ description: 'Only these acts.' }))),
  ...pageFields,
});
export type ActListQuery = z.output<typeof ActListQuery>;
