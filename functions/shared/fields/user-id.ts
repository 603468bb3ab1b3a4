import * as z from 'zod/mini';
import { wellFormed } from './well-formed.ts';

/** What names a user in requests: opaque, taken as it is. */
export const UserId = z
  .string()
  .check(
    z.minLength(1),
    z.maxLength(128),
    wellFormed,
    z.meta({ description: 'Names the user; opaque.', examples: ['user-1'] }),
  );
