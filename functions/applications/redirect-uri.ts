import * as z from 'zod/mini';

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Why a text is not a valid redirect URI; undefined when it is valid.
 *
 * Valid are https, http to the user's own machine (RFC 8252 section 7.3), and private-use schemes. These contain a dot,
 * because they are reversed domain names (section 7.1). A URI is stored and compared unchanged: RFC 9700 section 2.1.
 */
export function redirectUriProblem(text: string): string | undefined {
  // A URL parser tolerates blanks, line breaks and other scripts, so that the text would differ from the URI
  // it stands for.
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
    description: 'The URIs to which OAuth may redirect users. Compared character for character.',
    examples: [['https://app.example/callback']],
  }),
);
