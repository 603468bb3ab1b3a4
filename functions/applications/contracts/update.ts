import * as z from 'zod/mini';
import { Warnings } from '../../shared/accounts/application-warnings.ts';
import { isObject } from '../../shared/contract/merge-patch.ts';
import { defineRoute } from '../../shared/contract/route.ts';
import { unlimitedErrors } from '../../shared/contract/route-parts.ts';
import { RedirectUris } from '../redirect-uri.ts';
import { ApplicationPath, ApplicationResponse, name } from '../schemas.ts';

const UpdateApplicationRequest = z.object({
  name: z.optional(name),
  redirectUris: z.optional(RedirectUris),
  settings: z.optional(
    z.record(z.string(), z.unknown()).check(
      z.refine((patch) => !isDeeper(patch, 10), 'must be at most ten levels deep'),
      z.meta({
        description:
          'A JSON Merge Patch (RFC 7396) of the settings: a setting that is absent keeps its value, `null` removes one, an object is merged, and an array replaces the former one. The result is checked as a whole, by the rules for a new application.',
        examples: [{ paymentGateway: 'stripe', banking: null }],
      }),
    ),
  ),
});

/** Settings have three levels. More of them would only exhaust the stack. */
function isDeeper(value: unknown, levels: number): boolean {
  return isObject(value) && (levels === 0 || Object.values(value).some((one) => isDeeper(one, levels - 1)));
}

const UpdatedApplication = z.object({ application: ApplicationResponse, warnings: Warnings });

export const route = defineRoute({
  method: 'PUT',
  path: '/api/operator/applications/{id}',
  summary: 'Replaces the name or the redirect URIs of an application, or merges its settings.',
  description:
    'Omitted fields keep their values. `settings` is a JSON Merge Patch (RFC 7396): `null` removes a setting. Of concurrent requests none loses what another one changed.',
  auth: 'operator',
  operatorScope: 'admin',
  params: ApplicationPath,
  body: UpdateApplicationRequest,
  response: UpdatedApplication,
  errors: { ...unlimitedErrors, also: ['invalid_token', 'not_found', 'conflict'] },
  grants: { table: { APP: ['GetItem', 'UpdateItem'] }, uses: ['sandboxGateway'] },
});
