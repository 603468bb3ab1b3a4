import { scopes } from '../shared/auth/grants/scopes.ts';
import { endpoint, type Input, type Output } from '../shared/lambda/endpoint.ts';
import { consentShowRoute, metadataRoute, revokeRoute, tokenRoute } from './routes.ts';
import { clientAuthenticationMethods } from './tokens/client-authentication.ts';

/** The authorization server metadata: RFC 8414. The issuer is the base URL of the request. */
export function serverMetadata({ baseUrl }: Input<typeof metadataRoute>): Output<typeof metadataRoute> {
  return {
    issuer: baseUrl,
    authorization_endpoint: `${baseUrl}${consentShowRoute.path}`,
    token_endpoint: `${baseUrl}${tokenRoute.path}`,
    revocation_endpoint: `${baseUrl}${revokeRoute.path}`,
    service_documentation: `${baseUrl}/docs`,
    scopes_supported: [...scopes],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: [...clientAuthenticationMethods],
    revocation_endpoint_auth_methods_supported: [...clientAuthenticationMethods],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  };
}

export const handler = endpoint(metadataRoute, serverMetadata);
