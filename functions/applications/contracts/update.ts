import * as z from 'zod/mini';
import { Warnings } from '../../shared/accounts/application-warnings.ts';
import { defineRoute } from '../../shared/contract/route.ts';
import { unlimitedErrors } from '../../shared/contract/route-parts.ts';
import { seenRevision } from '../../shared/fields/revision.ts';
import { RedirectUris } from '../redirect-uri.ts';
import { ApplicationPath, ApplicationResponse, name, SettingsPatch } from '../schemas.ts';

const UpdateApplicationRequest = z.object({
  name: z.optional(name),
  redirectUris: z.optional(RedirectUris),
  settings: z.optional(SettingsPatch),
  revision: seenRevision,
});

const UpdatedApplication = z.object({ application: ApplicationResponse, warnings: Warnings });

export const route = defineRoute({
  method: 'PUT',
  path: '/api/operator/applications/{id}',
  words: {
    title: 'Change the application',
    notice: 'The application is changed.',
    preview: 'Show the difference',
  },
  summary: 'Replaces the name or the redirect URIs of an application, or merges its settings.',
  description:
    'Omitted fields keep their values. `settings` is a JSON Merge Patch (RFC 7396): `null` removes a setting. Of concurrent requests none loses what another one changed; with `revision`, the second one is refused.',
  auth: 'operator',
  operatorScope: 'admin',
  params: ApplicationPath,
  body: UpdateApplicationRequest,
  response: UpdatedApplication,
  errors: { ...unlimitedErrors, also: ['invalid_token', 'not_found', 'conflict'] },
  grants: { table: { APP: ['GetItem', 'UpdateItem'], RATE: ['GetItem'] }, uses: ['sandboxGateway'] },
});
