import { defineRoute } from '../../shared/contract/route.ts';
import { unlimitedErrors } from '../../shared/contract/route-parts.ts';
import { pageParts } from './common.ts';

export const route = defineRoute({
  ...pageParts,
  path: '/docs',
  operationId: 'showReferencePage',
  summary: 'Returns the first page of the API reference, for browsers.',
  errors: unlimitedErrors,
  grants: { files: ['docs.html', 'docs.csp'] },
});
