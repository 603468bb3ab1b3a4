import { describe, expect, test } from 'vitest';
import { RedirectUris, redirectUriProblem } from '../../../../functions/applications/redirect-uri.ts';

describe('a redirect URI', () => {
  test.each([
    'https://app.example/callback',
    'https://app.example/callback?tenant=1',
    'https://app.example',
    'https://app.example:8443/%C3%A4',
    'http://localhost:8080/callback',
    'http://127.0.0.1/cb',
    'http://[::1]:9/cb',
    'com.example.app:/callback',
    'com.example.app://callback',
  ])('%s is valid', (uri) => expect(redirectUriProblem(uri)).toBeUndefined());

  const problems: Record<string, readonly string[]> = {
    'must be a URI, other characters encoded': [
      '',
      ' https://app.example/',
      'https://app.example/\n',
      'https://äpp.example/',
      'https://app.example/ä',
      'https:\\\\app.example\\',
    ],
    'must be exact: there are no wildcards': ['https://*.example/', 'https://app.example/*'],
    'must have no fragment': ['https://app.example/#', 'https://app.example/#here'],
    'must be an absolute URI': [
      '/callback',
      'app.example/callback',
      'https:',
      'https://',
      'https:app.example',
      'https:///app.example',
      'https:/https://app.example',
    ],
    'must hold no credentials': [
      'https://user:pass@app.example/',
      'https://:pass@app.example/',
      'https://app.example@evil.example/',
    ],
    'must be https; http is for localhost, 127.0.0.1 and [::1]': [
      'http://app.example/',
      'http://localhost.evil.example/',
      'http://127.0.0.2/',
    ],
    'must be https, or a private-use scheme such as com.example.app:/callback': [
      'ftp://app.example/',
      'javascript:alert(1)',
      'data:text/html,1',
      'myapp:/callback',
      'urn:ietf:wg:oauth:2.0:oob',
    ],
  };
  test.each(Object.entries(problems).flatMap(([problem, uris]) => uris.map((uri) => [uri, problem])))(
    '%j is invalid: %s',
    (uri, problem) => {
      expect(redirectUriProblem(uri)).toBe(problem);
      expect(RedirectUris.safeParse([uri]).error?.issues).toMatchObject([
        { code: 'custom', message: problem },
      ]);
    },
  );

  test('is in the list once, and the list is short', () => {
    const uris = Array.from({ length: 21 }, (_, i) => `https://app.example/${i}`);
    expect(RedirectUris.safeParse(uris.slice(1)).success).toBe(true);
    expect(RedirectUris.safeParse(uris).success).toBe(false);
    expect(RedirectUris.safeParse([uris[0], uris[0]]).error?.issues).toMatchObject([
      { message: 'must differ from each other' },
    ]);
  });
});
