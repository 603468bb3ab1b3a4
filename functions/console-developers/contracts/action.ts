import * as z from 'zod/mini';
import {
  ApplicationPath,
  actionRoute,
  count,
  formBody,
  reasonBody,
  sessionTable,
} from '../../console/contracts/console-route.ts';
import { page } from '../../shared/contract/other-responses.ts';
import { defineRoute } from '../../shared/contract/route.ts';
import { applicationPath } from './paths.ts';

const settings = z
  .string()
  .check(z.maxLength(20_000), z.meta({ description: 'A JSON Merge Patch (RFC 7396).' }));

const ApplicationAction = z.discriminatedUnion('action', [
  z.object({
    action: z
      .literal('show-settings')
      .check(
        z.meta({ description: 'Changes nothing: it shows the difference that `change-settings` makes.' }),
      ),
    ...formBody,
    settings,
  }),
  z.object({
    action: z.literal('change-settings'),
    ...reasonBody,
    settings,
    revision: count('The revision of the application that the page showed.'),
  }),
]);

export type ApplicationAction = z.output<typeof ApplicationAction>;

export const route = defineRoute({
  ...actionRoute,
  path: applicationPath,
  operationId: 'submitConsoleApplicationPage',
  summary: 'Receives the forms of the settings of an application.',
  description: [
    'For browsers. For operator keys with the scope `admin`.',
    'Changes the settings after their difference was shown. A change needs a reason.',
    'The audit record is written in the same transaction.',
  ].join(' '),
  params: ApplicationPath,
  body: ApplicationAction,
  otherResponses: [
    ...actionRoute.otherResponses,
    page(200, 'The difference that a change of the settings makes.'),
    page(409, 'The application was changed after the page was shown.'),
    page(422, 'An entry of the form is not possible. The page says which.'),
  ],
  errors: { ...actionRoute.errors, also: ['not_found'] },
  grants: {
    table: {
      ...sessionTable,
      APP: ['GetItem', 'UpdateItem'],
      AUDIT: ['PutItem'],
    },
    uses: ['sandboxGateway'],
  },
});
