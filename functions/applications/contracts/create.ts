import * as z from 'zod/mini';
import { SettingsRequest } from '../../shared/accounts/application-settings.ts';
import { Warnings } from '../../shared/accounts/application-warnings.ts';
import { defineRoute } from '../../shared/contract/route.ts';
import { idempotencyErrors, unlimitedErrors } from '../../shared/contract/route-parts.ts';
import { IdempotencyHeaders } from '../../shared/fields/idempotency-key.ts';
import { RedirectUris } from '../redirect-uri.ts';
import { ApplicationResponse, name, shownOnce } from '../schemas.ts';

const CreateApplicationRequest = z.object({
  name,
  redirectUris: RedirectUris,
  settings: z.optional(SettingsRequest),
});

const CreatedApplication = z.object({
  application: ApplicationResponse,
  clientSecret: shownOnce('For links and OAuth.'),
  apiKey: shownOnce('For subscriptions.'),
  warnings: Warnings,
});

export const route = defineRoute({
  method: 'POST',
  path: '/api/operator/applications',
  words: { title: 'Create an application' },
  summary: 'Creates an application with a client secret and an API key, which are shown only once.',
  description:
    'With an `Idempotency-Key`, a repeated request within 24 hours creates no other application. It is a `conflict` that names the application: only the first response has its secrets.',
  auth: 'operator',
  operatorScope: 'admin',
  headers: IdempotencyHeaders,
  body: CreateApplicationRequest,
  response: CreatedApplication,
  status: 201,
  errors: { ...unlimitedErrors, also: ['invalid_token', 'conflict', ...idempotencyErrors] },
  grants: {
    table: {
      APP: ['PutItem'],
      CLIENTSECRET: ['PutItem'],
      APIKEY: ['PutItem'],
      IDEMPOTENCY: ['GetItem', 'PutItem'],
    },
    uses: ['sandboxGateway'],
  },
});
