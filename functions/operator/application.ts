import * as z from 'zod/mini';
import { SettingsRequest, SettingsResponse } from '../shared/accounts/application-settings.ts';
import { RedirectUris } from './redirect-uri.ts';

/** So that a secret can be replaced without a moment's outage; a third would only be forgotten somewhere. */
export const liveKeysPerKind = 2;

const pathId = (description: string) =>
  z.string().check(z.minLength(1), z.maxLength(128), z.meta({ description }));

export const ApplicationPath = z.object({ id: pathId('The `_id` of the application.') });
export const KeyPath = z.object({ ...ApplicationPath.shape, keyId: pathId('The `keyId` of the key.') });

/** People read it on the consent page: nothing there may hide or turn text round. */
const name = z.string().check(
  z.minLength(1),
  z.maxLength(100),
  z.refine(
    (text) => text.isWellFormed() && text.trim() !== '' && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text),
    'must be visible text on one line',
  ),
  z.meta({ description: 'Users see it when they are asked for consent.', examples: ['Example App'] }),
);

export const NewApplication = z.object({
  name,
  redirectUris: RedirectUris,
  settings: z.optional(SettingsRequest),
});

export const ApplicationChange = z.object({
  name: z.optional(name),
  redirectUris: z.optional(RedirectUris),
  settings: z.optional(SettingsRequest),
});

const KeyKind = z.enum(['client_secret', 'api_key']).check(
  z.meta({
    description: '`client_secret`: links and OAuth. `api_key`: subscriptions.',
    examples: ['api_key'],
  }),
);

export const NewKey = z.object({
  kind: KeyKind,
  expiresInDays: z.optional(
    z
      .int()
      .check(z.gte(1), z.lte(3_650), z.meta({ description: 'Good until revoked without.', examples: [365] })),
  ),
});

const time = z.iso.datetime();
const once = (description: string) => z.string().check(z.meta({ description: `${description} Shown once.` }));

const ShownApplication = z.object({
  _id: z.string(),
  name: z.string(),
  clientId: z.string().check(z.meta({ description: 'Names the application in OAuth; the same as `_id`.' })),
  redirectUris: z.array(z.string()),
  settings: SettingsResponse,
  keys: z.array(
    z.object({
      keyId: z.string(),
      kind: KeyKind,
      hint: z.string().check(z.meta({ description: 'How the secret begins.' })),
      createdAt: time,
      expiresAt: z.optional(time),
    }),
  ),
  createdAt: time,
  updatedAt: time,
});

export const OneApplication = z.object({ application: ShownApplication });
export const CreatedApplication = z.object({
  application: ShownApplication,
  clientSecret: once('For links and OAuth.'),
  apiKey: once('For subscriptions.'),
});
export const CreatedKey = z.object({ keyId: z.string(), secret: once('The secret itself.') });
export const Revoked = z.object({ success: z.literal(true) });
