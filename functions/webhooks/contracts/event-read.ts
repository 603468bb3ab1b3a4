import * as z from 'zod/mini';
import { eventRetentionDays } from '../../shared/contract/events.ts';
import { defineRoute } from '../../shared/contract/route.ts';
import { commonErrors } from '../../shared/contract/route-parts.ts';
import { EventSchema } from '../api/schemas.ts';
import { applicationRoute } from './common.ts';

const EventPath = z.object({ id: z.string() });

export const route = defineRoute({
  method: 'GET',
  path: '/api/v1/events/{id}',
  summary: 'Retrieves an event.',
  description: `Events are kept for ${eventRetentionDays} days. An event can be read as soon as its change is committed, before it is listed.`,
  ...applicationRoute,
  params: EventPath,
  response: z.object({ event: EventSchema }),
  errors: { ...commonErrors, also: ['invalid_token', 'not_found'] },
  grants: { table: { EVENT: ['BatchGetItem'] } },
});
