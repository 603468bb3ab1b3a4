import * as z from 'zod/mini';
import { SettingsRequest } from '../shared/accounts/application-settings.ts';
import { Warnings } from '../shared/accounts/application-warnings.ts';
import { defineRoute, idempotencyErrors, operatorRoute, type Routes } from '../shared/contract/route.ts';
import { revocationSeconds } from '../shared/contract/secret.ts';
import { IdempotencyHeaders } from '../shared/fields/idempotency-key.ts';
import { seenRevision } from '../shared/fields/revision.ts';
import { nextCursor, operatorListRoute, pageFields, periodFields } from '../shared/lists/requests.ts';
import { RedirectUris } from './redirect-uri.ts';
import {
  ApplicationPath,
  ApplicationResponse,
  CreatedKey,
  CreateKeyRequest,
  name,
  OneApplication,
  pathId,
  RevokedKey,
  SettingsPatch,
  shownOnce,
} from './schemas.ts';

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

export const createRoute = defineRoute({
  method: 'POST',
  path: '/api/operator/applications',
  words: { title: 'Create an application' },
  summary: 'Creates an application with a client secret and an API key, which are shown only once.',
  description:
    'With an `Idempotency-Key`, a repeated request within 24 hours creates no other application. It is a `conflict` that names the application: only the first response has its secrets.',
  ...operatorRoute('admin', 'conflict', ...idempotencyErrors),
  headers: IdempotencyHeaders,
  body: CreateApplicationRequest,
  response: CreatedApplication,
  status: 201,
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

export const readRoute = defineRoute({
  method: 'GET',
  path: '/api/operator/applications/{id}',
  summary: 'Retrieves an application with the first characters of its keys, and when each was used last.',
  ...operatorRoute('support', 'not_found'),
  params: ApplicationPath,
  response: OneApplication,
  grants: { table: { APP: ['GetItem'], RATE: ['GetItem'] } },
});

export const ListedApplication = z.object({
  _id: z.string(),
  name: z.string(),
  createdAt: z.iso.datetime(),
});

const ApplicationList = z.object({ applications: z.array(ListedApplication), nextCursor });

export const listRoute = defineRoute({
  ...operatorListRoute,
  path: '/api/operator/applications',
  summary: 'Lists the applications, newest first.',
  description: 'A new application shows in the list within moments. No application is on two pages.',
  operatorScope: 'support',
  query: z.object({ ...periodFields('the creation', 'UTC'), ...pageFields }),
  response: ApplicationList,
  grants: { table: { APP: ['BatchGetItem'] }, indexes: { listed: ['DIRECTORY'] } },
});

const UpdateApplicationRequest = z.object({
  name: z.optional(name),
  redirectUris: z.optional(RedirectUris),
  settings: z.optional(SettingsPatch),
  revision: seenRevision,
});

const UpdatedApplication = z.object({ application: ApplicationResponse, warnings: Warnings });

export const updateRoute = defineRoute({
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
  ...operatorRoute('admin', 'not_found', 'conflict'),
  params: ApplicationPath,
  body: UpdateApplicationRequest,
  response: UpdatedApplication,
  grants: { table: { APP: ['GetItem', 'UpdateItem'], RATE: ['GetItem'] }, uses: ['sandboxGateway'] },
});

export const keyCreateRoute = defineRoute({
  method: 'POST',
  path: '/api/operator/applications/{id}/keys',
  words: { title: 'Create a key' },
  operationId: 'createApplicationKey',
  summary: 'Creates another key of an application, which is shown only once.',
  description: [
    'An application can have two unexpired keys of a kind, so that a key can be replaced without an',
    'outage: create a new key, deploy it everywhere, and revoke the old one. Creating a third key returns',
    '409.',
    'With an `Idempotency-Key`, a repeated request within 24 hours creates no other key. It is a `conflict` that names the key: only the first',
    'response has its secret.',
  ].join('\n'),
  ...operatorRoute('admin', 'not_found', 'conflict', ...idempotencyErrors),
  params: ApplicationPath,
  headers: IdempotencyHeaders,
  body: CreateKeyRequest,
  response: CreatedKey,
  status: 201,
  grants: {
    table: {
      APP: ['GetItem', 'UpdateItem'],
      CLIENTSECRET: ['PutItem'],
      APIKEY: ['PutItem'],
      IDEMPOTENCY: ['GetItem', 'PutItem'],
    },
  },
});

const KeyPath = z.object({ ...ApplicationPath.shape, keyId: pathId('The `keyId` of the key.') });

export const keyRevokeRoute = defineRoute({
  method: 'DELETE',
  path: '/api/operator/applications/{id}/keys/{keyId}',
  words: {
    title: 'Revoke the key',
    question: `Everything that still uses this key stops working within ${revocationSeconds} seconds. With the last key, all that users granted the application ends. Revoke it?`,
    notice: 'The key is revoked.',
  },
  operationId: 'revokeApplicationKey',
  summary: `Revokes a key of an application. It stops working within ${revocationSeconds} seconds.`,
  description: [
    'With the last key that has not expired, all that users granted the application ends, and expired keys are removed:',
    'authorization codes and refresh tokens end at once,',
    `access tokens within ${revocationSeconds} seconds. A key that is created later does not restore them. Without any key, an`,
    'application gets no tokens. The expiry of a key ends no tokens.',
  ].join('\n'),
  ...operatorRoute('admin', 'not_found', 'conflict'),
  params: KeyPath,
  response: RevokedKey,
  grants: {
    table: {
      APP: ['GetItem', 'UpdateItem'],
      CLIENTSECRET: ['DeleteItem'],
      APIKEY: ['DeleteItem'],
    },
  },
});

export const routes = {
  create: createRoute,
  read: readRoute,
  list: listRoute,
  update: updateRoute,
  'key-create': keyCreateRoute,
  'key-revoke': keyRevokeRoute,
} satisfies Routes;
