import * as z from 'zod/mini';
import { operatorScopeNames, operatorScopes } from '../../shared/contract/operator-scopes.ts';
import { lineField, notBlank } from '../../shared/fields/text.ts';
import { CreateKeyRequest } from '../applications/schemas.ts';

const described = (description: string) => z.meta({ description });
const time = z.iso.datetime();

const name = lineField(200).check(
  notBlank,
  z.meta({ description: 'The person who uses the key.', examples: ['Rita Reviewer'] }),
);
const Scope = z.enum(operatorScopeNames).check(
  described(
    Object.entries(operatorScopes)
      .map(([scope, actions]) => `\`${scope}\`: ${actions}.`)
      .join(' '),
  ),
);
const Scopes = z.array(Scope).check(
  z.minLength(1),
  z.refine((scopes) => new Set(scopes).size === scopes.length, 'must differ from each other'),
);

export const CreateOperatorKeyRequest = z.object({
  name,
  scopes: Scopes,
  expiresInDays: CreateKeyRequest.shape.expiresInDays,
});

export const OperatorKeyPath = z.object({
  keyId: z.string().check(z.minLength(1), z.maxLength(128), described('The `keyId` of the operator key.')),
});

export const OperatorKeyList = z.object({
  keys: z.array(
    z.object({
      keyId: z.string(),
      name: z.string(),
      scopes: z.array(Scope),
      hint: z.string().check(described('The first characters of the secret.')),
      createdAt: time,
      createdBy: z
        .object({ id: z.string(), name: z.string() })
        .check(
          described('The operator key that created it; itself for a key of `npm run operator -- bootstrap`.'),
        ),
      expiresAt: z.optional(time),
    }),
  ),
});
