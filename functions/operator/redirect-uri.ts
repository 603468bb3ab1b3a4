import * as z from 'zod/mini';

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Says what keeps a text from being a redirect URI; undefined when nothing does.
 *
 * https, http to the user's own machine (RFC 8252 section 7.3), or a private-use scheme, which has a dot in it
 * because it is a domain turned round (section 7.1). Kept and compared as it is given: RFC 9700 section 2.1.
 */
export function redirectUriProblem(text: string): string | undefined {
  // Whatever else a URL parser forgives (blanks, line breaks, other scripts) would not be compared as it is meant.
  if (!/^[\x21-\x7e]+$/.test(text) || /[\\"<>^`{|}]/.test(text))
    return 'must be a URI, other characters encoded';
  if (text.includes('*')) return 'must be exact: there are no wildcards';
  // RFC 6749 section 3.1.2
  if (text.includes('#')) return 'must have no fragment';
  if (!URL.canParse(text)) return 'must be an absolute URI';
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== '' || password !== '') return 'must hold no credentials';
  if (protocol === 'https:' || protocol === 'http:') {
    if (!/^https?:\/\/[^/]/i.test(text)) return 'must be an absolute URI';
    if (protocol === 'http:' && !loopback.has(hostname))
      return 'must be https; http is for localhost, 127.0.0.1 and [::1]';
    return undefined;
  }
  if (!protocol.includes('.'))
    return 'must be https, or a private-use scheme such as com.example.app:/callback';
  return undefined;
}

const RedirectUri = z.string().check(
  z.maxLength(2_048),
  z.check<string>(({ value, issues }) => {
    const message = redirectUriProblem(value);
    if (message !== undefined) issues.push({ code: 'custom', input: value, message });
  }),
);

export const RedirectUris = z.array(RedirectUri).check(
  z.maxLength(20),
  z.refine((uris) => new Set(uris).size === uris.length, 'must differ from each other'),
  z.meta({
    description: 'Where OAuth may send users back to; compared character for character.',
    examples: [['https://app.example/callback']],
  }),
);
