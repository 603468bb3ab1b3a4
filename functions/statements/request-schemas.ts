import * as z from 'zod/mini';
import { described } from '../shared/fields/described.ts';
export const defaultEntriesOfPage = 50;

export const StatementPath = z.object({
  id: z.string().check(z.minLength(1), z.maxLength(128), described('The `_id` of the statement.')),
});
