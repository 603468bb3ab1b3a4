import * as z from 'zod/mini';
import { described } from '../shared/fields/described.ts';
import { wellFormed } from '../shared/fields/well-formed.ts';

export const ExternalId = z
  .string()
  .check(z.minLength(1), z.maxLength(128), wellFormed, described('Your id for the subscriber.', 'user-4711'));
