/**
 * The redirect URI with the authorization response in its query. An existing query is kept. RFC 6749 sections
 * 4.1.2 and 4.1.2.1, RFC 9207.
 */
export function authorizationResponseUri(
  redirectUri: string,
  response: Readonly<Record<string, string | undefined>>,
  issuer: string,
): string {
  const fields = Object.entries({ ...response, iss: issuer }).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(fields as [string, string][]);
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${query}`;
}
