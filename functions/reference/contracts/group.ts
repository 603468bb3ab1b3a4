import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { unlimitedErrors } from '../../shared/contract/route-parts.ts';
import { pageParts } from './common.ts';

const GroupParams = z.object({
  group: z.string().check(
    z.meta({
      description: 'A tag of the OpenAPI document, `events`, `errors`, `guides`, or the name of a guide.',
      examples: ['subscriptions'],
    }),
  ),
});

export const route = defineRoute({
  ...pageParts,
  path: '/docs/{group}',
  operationId: 'showReferenceGroupPage',
  summary: 'Returns the operations of a group, the events, the errors or a guide as a page, for browsers.',
  params: GroupParams,
  errors: { ...unlimitedErrors, also: ['not_found'] },
  errorPages: true,
  grants: { files: ['docs.json', 'docs.csp'] },
});
