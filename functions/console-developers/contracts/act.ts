import * as z from 'zod/mini';
import {
  ApplicationPath,
  actRoute,
  field,
  formBody,
  reasonBody,
  sessionTable,
} from '../../console/contracts/console-route.ts';
import { page } from '../../shared/contract/other-responses.ts';
import { defineRoute } from '../../shared/contract/route.ts';
import { applicationPath } from './paths.ts';

const acts = ['create-key', 'revoke-key', 'show-settings', 'change-settings'] as const;

const ApplicationAct = z.object({
  ...formBody,
  action: z.enum(acts).check(
    z.meta({
      description: '`show-settings` changes nothing: it shows the difference that `change-settings` makes.',
    }),
  ),
  reason: z.optional(reasonBody.reason),
  kind: field('For `create-key`: `client_secret` or `api_key`.', 20),
  days: field('For `create-key`: the days until the key expires. Empty for none.', 4),
  once: field('For `create-key`: a random text of the page. The form creates one key.', 64),
  keyId: field('For `revoke-key`: the id of the key.', 128),
  settings: field('For the settings: a JSON Merge Patch (RFC 7396).', 20_000),
  revision: field('For `change-settings`: the revision of the application that the page showed.', 15),
});

export type ApplicationAct = z.output<typeof ApplicationAct>;

export const route = defineRoute({
  ...actRoute,
  path: applicationPath,
  summary: 'Receives the forms of the page of an application.',
  description: [
    'For browsers. For operator keys with the scope `admin`.',
    'Creates a key, revokes one, or changes the settings after their difference was shown. Each change needs a reason.',
    'The audit record is written in the same transaction.',
  ].join(' '),
  params: ApplicationPath,
  body: ApplicationAct,
  otherResponses: [
    ...actRoute.otherResponses,
    page(
      200,
      'A new key, whose secret is shown once; or the difference that a change of the settings makes.',
    ),
    page(409, 'The application was changed after the page was shown, or has the most keys of the kind.'),
    page(422, 'An entry of the form is not possible. The page says which.'),
  ],
  errors: { ...actRoute.errors, also: ['not_found'] },
  grants: {
    table: {
      ...sessionTable,
      APP: ['GetItem', 'UpdateItem'],
      CLIENTSECRET: ['PutItem', 'DeleteItem'],
      APIKEY: ['PutItem', 'DeleteItem'],
      IDEMPOTENCY: ['GetItem', 'PutItem'],
      AUDIT: ['PutItem'],
    },
    uses: ['sandboxGateway'],
  },
});
