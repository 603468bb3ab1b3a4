import * as z from 'zod/mini';

/** Longer than any cursor that a list issues. */
const maxCursorLength = 2_048;

/**
 * The parameter `limit`: decimal digits without a sign, an exponent or leading zeros. Its value is the number.
 *
 * @param description of what is counted, and the default.
 */
export function limitField(max: number, description: string) {
  return z.optional(
    z.pipe(
      z.string().check(
        z.refine(
          (text) => /^[1-9]\d*$/.test(text) && Number(text) <= max,
          `must be an integer from 1 to ${max}`,
        ),
        z.meta({ type: 'integer', minimum: 1, maximum: max, description, examples: [Math.min(50, max)] }),
      ),
      z.transform(Number),
    ),
  );
}

/** The parameter `cursor`: opaque. The list checks it. */
export const cursorField = z.optional(
  z.string().check(
    z.maxLength(maxCursorLength),
    z.meta({
      description: 'The `nextCursor` of the previous page. All other parameters must stay the same.',
    }),
  ),
);

/** The cursor of the next page in a response. @param description when it is present. */
export function nextCursorField(
  description = 'Present when there are more items. Pass it as `cursor` to get the next page.',
) {
  return z.optional(z.string().check(z.meta({ description })));
}
