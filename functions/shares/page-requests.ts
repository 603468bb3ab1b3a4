import * as z from 'zod/mini';

/** Any text: the page is the same for every id, and so is the response to an id that cannot exist. */
export const PageParams = z.object({
  shareId: z.string().check(z.describe('The `shareId` of a share.')),
});

export const AssetParams = z.object({
  file: z
    .string()
    .check(z.describe('The name of the script, as the page has it, or of the package for clients.')),
});
