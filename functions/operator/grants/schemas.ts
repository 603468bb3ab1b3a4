import * as z from 'zod/mini';
import { cursorField, limitField } from '../../shared/fields/page.ts';
import { UserId } from '../../shared/fields/user-id.ts';

const described = (description: string) => z.meta({ description });

/** The largest page of the list. One batch reads up to 100 applications. */
const maxPage = 100;

export const GrantListQuery = z.object({
  limit: limitField(maxPage, 'The maximum number of grants; 50 by default.'),
  cursor: cursorField,
});

export const GrantPath = z.object({
  userId: UserId,
  id: z.string().check(z.minLength(1), z.maxLength(128), described('The `id` of the grant.')),
});

export const UserGrants = z.object({
  grants: z.array(
    z.object({
      id: z.string(),
      applicationId: z.string(),
      applicationName: z.string(),
      scopes: z.array(z.string()),
      createdAt: z.iso.datetime(),
      lastUsedAt: z.iso
        .datetime()
        .check(
          described('When tokens were last issued: at the consent, or at the last use of the refresh token.'),
        ),
    }),
  ),
  nextCursor: z.optional(
    z.string().check(described('Present when there are more. Pass it as `cursor` to get the next page.')),
  ),
});

export const RevokedGrant = z.object({ success: z.literal(true) });
