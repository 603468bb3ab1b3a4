import * as z from 'zod/mini';
import { SettingsRequest, SettingsResponse } from '../shared/accounts/application-settings.ts';
import { isObject, patchOf } from '../shared/contract/merge-patch.ts';
import { keyUseDays } from '../shared/contract/secret.ts';
import { revision } from '../shared/fields/revision.ts';
import { lineField, notBlank } from '../shared/fields/text.ts';

export const pathId = (description: string) =>
  z.string().check(z.minLength(1), z.maxLength(128), z.meta({ description }));

export const ApplicationPath = z.object({ id: pathId('The `_id` of the application.') });

/** Shown on the consent page, where no format character may hide a part of it. */
export const name = lineField(100).check(
  notBlank,
  z.refine((text) => !/\p{Cf}/u.test(text), 'must have no invisible characters'),
  z.meta({ description: 'Shown to users on the consent page.', examples: ['Example App'] }),
);

/** Settings have three levels. More of them would only exhaust the stack. */
function isDeeper(value: unknown, levels: number): boolean {
  return isObject(value) && (levels === 0 || Object.values(value).some((one) => isDeeper(one, levels - 1)));
}

/** Whether an object below has a key that parsing would drop: see `droppedKeyMessages`. Arrays count as levels too. */
function hasDroppedKey(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null || levels === 0) return false;
  return (
    Object.hasOwn(value, '__proto__') || Object.values(value).some((one) => hasDroppedKey(one, levels - 1))
  );
}

export const SettingsPatch = patchOf(
  SettingsRequest,
  z.record(z.string(), z.unknown()).check(
    z.refine((patch) => !isDeeper(patch, 10), 'must be at most ten levels deep'),
    z.refine((patch) => !hasDroppedKey(patch, 20), 'must not have the key __proto__'),
    z.meta({
      description:
        'A JSON Merge Patch (RFC 7396) of the settings: a setting that is absent keeps its value, `null` removes one, an object is merged, and an array replaces the former one. The result is checked as a whole, by the rules for a new application.',
      examples: [{ paymentGateway: 'stripe', banking: null }],
    }),
  ),
);
export type SettingsPatch = z.output<typeof SettingsPatch>;

export const ChangedSettings = z.object({ settings: SettingsRequest });

const KeyKind = z.enum(['client_secret', 'api_key']).check(
  z.meta({
    description: '`client_secret` authenticates for links and OAuth, `api_key` for subscriptions.',
    examples: ['api_key'],
  }),
);

export const CreateKeyRequest = z.object({
  kind: KeyKind,
  expiresInDays: z.optional(
    z.int().check(
      z.gte(1),
      z.lte(3_650),
      z.meta({
        description: 'Days until the key expires. Default: the key is valid until it is revoked.',
        examples: [365],
      }),
    ),
  ),
});

const time = z.iso.datetime();
export const shownOnce = (description: string) =>
  z.string().check(z.meta({ description: `${description} Shown only once.` }));

export const ApplicationKeySchema = z.object({
  keyId: z.string(),
  kind: KeyKind,
  hint: z.string().check(z.meta({ description: 'The first characters of the secret.' })),
  createdAt: time,
  expiresAt: z.optional(time),
  lastUsedAt: z.optional(
    time.check(
      z.meta({
        description: `The last request with the key that was within the limits. To within an hour for tokens of OAuth. Absent without one in the last ${keyUseDays} days.`,
      }),
    ),
  ),
});

export const ApplicationResponse = z.object({
  _id: z.string(),
  name: z.string(),
  clientId: z.string().check(z.meta({ description: 'The client id for OAuth. Equal to `_id`.' })),
  redirectUris: z.array(z.string()),
  settings: SettingsResponse,
  keys: z.array(ApplicationKeySchema),
  revision,
  createdAt: time,
  updatedAt: time,
});

export const OneApplication = z.object({ application: ApplicationResponse });
export const CreatedKey = z.object({ keyId: z.string(), secret: shownOnce('The secret itself.') });
export const RevokedKey = z.object({ success: z.literal(true) });
