import * as z from 'zod/mini';

/** A parameter without a value counts as left out: RFC 6749 section 3.1. */
export const parameter = (description: string, ...examples: string[]) =>
  z.optional(
    z.pipe(
      z.string().check(z.meta({ description, ...(examples.length > 0 && { examples }) })),
      z.transform((text: string) => (text === '' ? undefined : text)),
    ),
  );

const fields = {
  client_id: parameter("The application's id."),
  redirect_uri: parameter(
    'Where the answer goes: character for character one that is registered. May be left out when there is just one.',
  ),
  response_type: parameter('`code`, the default.'),
  scope: parameter(
    '`profile` (the default), `trust_links:write`, `vault`; several with spaces in between.',
    'trust_links:write',
  ),
  state: parameter('Comes back with the answer; up to 2,000 characters.'),
  code_challenge: parameter('Of PKCE; required unless the application is confidential and has opted out.'),
  code_challenge_method: parameter('`S256`.'),
};

/** Parameters of the request as they came; each step of the page carries and checks them anew. */
export const AuthorizationParameters = z.object(fields);
export type Parameters = z.output<typeof AuthorizationParameters>;

export const parameterNames = Object.keys(fields) as readonly (keyof Parameters)[];
