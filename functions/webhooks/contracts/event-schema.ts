import * as z from 'zod/mini';

/** An event, in the list and in deliveries. The order of the fields is that of the signed text. */
export const EventSchema = z.object({
  id: z.string().check(z.meta({ description: '`evt_…`. The same in the list and at every delivery.' })),
  type: z.string().check(z.meta({ examples: ['subscription.renewed'] })),
  createdAt: z.iso.datetime(),
  sequence: z.int().check(
    z.meta({
      description:
        'Rises by one with each event of the object, from 1. Discard an event whose `sequence` is not higher than the last that you have.',
    }),
  ),
  data: z
    .record(z.string(), z.unknown())
    .check(z.meta({ description: 'The object as the API showed it after the change.' })),
});
