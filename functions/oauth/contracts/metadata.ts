import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';

const ServerMetadata = z.object({
  issuer: z.string(),
  authorization_endpoint: z.string(),
  token_endpoint: z.string(),
  revocation_endpoint: z.string(),
  service_documentation: z.string(),
  scopes_supported: z.array(z.string()),
  response_types_supported: z.array(z.string()),
  response_modes_supported: z.array(z.string()),
  grant_types_supported: z.array(z.string()),
  token_endpoint_auth_methods_supported: z.array(z.string()),
  revocation_endpoint_auth_methods_supported: z.array(z.string()),
  code_challenge_methods_supported: z.array(z.string()),
  authorization_response_iss_parameter_supported: z.boolean(),
});

export const route = defineRoute({
  method: 'GET',
  path: '/.well-known/oauth-authorization-server',
  operationId: 'getAuthorizationServerMetadata',
  summary: 'Describes the authorization server: RFC 8414.',
  auth: 'none',
  response: ServerMetadata,
  errors: { failed: 'oauth_failed' },
  cors: true,
  grants: {},
});
