import * as z from 'zod/mini';
import { defined, keysOf } from '../../shared/contract/defined.ts';

/** A request parameter. One that is sent without a value counts as omitted: RFC 6749 section 3.1. */
export const parameter = (description: string, ...examples: string[]) =>
  z.optional(
    z.pipe(
      z
        .string()
        .check(z.meta({ description, ...defined({ examples: examples.length > 0 ? examples : undefined }) })),
      z.transform((text: string) => (text === '' ? undefined : text)),
    ),
  );

const fields = {
  client_id: parameter("The application's id."),
  redirect_uri: parameter(
    'Where the response is sent. Must equal a registered URI, character for character. Optional when exactly one URI is registered.',
  ),
  response_type: parameter('`code`, the default.'),
  scope: parameter(
    'One or more of `profile` (the default), `trust_links:write` and `vault`, separated by spaces.',
    'trust_links:write',
  ),
  state: parameter('An opaque value that the response repeats. At most 2,000 characters.'),
  code_challenge: parameter(
    'The PKCE code challenge. Required, unless the application is confidential and has set `pkceOptional`.',
  ),
  code_challenge_method: parameter('`S256`.'),
};

/**
 * The parameters of an authorization request as received. Each form of the consent page repeats them, and
 * each submission validates them again.
 */
export const AuthorizationParameters = z.object(fields);
export type Parameters = z.output<typeof AuthorizationParameters>;

const parameterNames = keysOf(fields);

export function presentParameters(parameters: Parameters): [name: string, value: string][] {
  return parameterNames.flatMap((name) => {
    const value = parameters[name];
    return value === undefined ? [] : [[name, value]];
  });
}
