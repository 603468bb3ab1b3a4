import * as z from 'zod/mini';
import { Time } from '../shared/fields/described.ts';
import { Address } from '../shared/fields/postal-address.ts';

export const OneClient = z.object({
  client: z.object({
    externalId: z.string(),
    email: z.string(),
    name: z.optional(z.string()),
    address: z.optional(Address),
    vatId: z.optional(z.string()),
    metadata: z.optional(z.record(z.string(), z.unknown())),
    createdAt: Time,
    updatedAt: Time,
  }),
});
