import * as z from 'zod/mini';
import { cursorField, limitField } from '../../shared/fields/page.ts';
import { lineField, linesField, notBlank } from '../../shared/fields/text.ts';
import { UserId } from '../../shared/fields/user-id.ts';
import { WebAddress } from '../../shared/fields/web-address.ts';

export const limits = {
  batch: 50,
  ids: 100,
  platforms: 50,
  /** Links or reviews in a page. */
  page: 200,
} as const;

export const Title = lineField(200).check(notBlank);
export const Platform = lineField(50).check(
  notBlank,
  z.meta({ description: 'A label of your choice.', examples: ['YouTube'] }),
);
export const Description = linesField(1000);

export const LinkSubmission = z.object({
  title: Title,
  url: WebAddress,
  platform: Platform,
  description: z.optional(Description),
});
export type LinkSubmission = z.output<typeof LinkSubmission>;

/**
 * An array of `entries`. The handler refuses one with more than `max` entries for its length alone: here its
 * entries are not validated, but replaced with `max + 1` copies of `placeholder`.
 */
export function batchOf<T extends z.ZodMiniType>(
  entries: T,
  max: number,
  isEntry: (value: unknown) => boolean,
  placeholder: z.input<T>,
) {
  return z.pipe(
    z.transform((value: unknown) =>
      Array.isArray(value) && value.length > max ? Array.from({ length: max + 1 }, () => placeholder) : value,
    ),
    z.array(entries).check(
      z.minLength(1),
      // An entry of the wrong type is reported for the field as well as for the entry.
      z.refine<unknown[]>((values) => values.every(isEntry), {
        error: 'has an entry of the wrong type',
        when: ({ value }) => Array.isArray(value),
      }),
      z.meta({ description: `Up to ${max} entries.` }),
    ),
  );
}
export const isString = (value: unknown) => typeof value === 'string';

/** A request may name the user in the header, in the query, or in the body. */
export const userIdInBody = { userId: z.optional(UserId) };
export const UserHeaders = z.object({ 'x-user-id': z.optional(UserId) });
export const UserQuery = z.object({ userId: z.optional(UserId) });
/** The fields that an update may change. An omitted field keeps its value. */
export type LinkChange = Partial<Record<keyof LinkSubmission, string | undefined>>;

export const LinkPath = z.object({ id: z.string() });

export const pageFields = {
  limit: limitField(limits.page, `The maximum number of items, 1 to ${limits.page}.`),
  cursor: cursorField,
};
export const ReviewPath = z.object({ linkId: z.string() });
