import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { unlimitedErrors } from '../../shared/contract/route-parts.ts';

export const route = defineRoute({
  method: 'GET',
  path: '/.well-known/security.txt',
  operationId: 'getSecurityTxt',
  summary: 'Returns whom to tell of a vulnerability.',
  description: 'RFC 9116. A stage without `securityContact` has no such file.',
  auth: 'none',
  response: z.string(),
  produces: 'text/plain; charset=utf-8',
  errors: { ...unlimitedErrors, also: ['not_found'] },
  grants: { uses: ['securityContact'] },
});
