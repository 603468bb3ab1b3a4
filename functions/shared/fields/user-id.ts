import * as z from 'zod/mini';
import { wellFormed } from './well-formed.ts';

/** Opaque, used verbatim. */
export const UserId = z
  .string()
  .check(
    z.minLength(1),
    z.maxLength(128),
    wellFormed,
    z.meta({ description: 'Identifies the user. Opaque.', examples: ['user-1'] }),
  );
