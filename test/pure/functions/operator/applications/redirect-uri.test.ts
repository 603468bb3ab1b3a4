import { describe, expect, test } from 'vitest';
import { redirectUriProblem } from '../../../../../functions/operator/applications/redirect-uri.ts';

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

  test.each([
    ...[
      '',
      '/callback',
      'app.example/callback',
      'https:',
      'https://',
      'https:app.example',
      'https:///app.example',
    ],
    ...['http://app.example/', 'http://localhost.evil.example/', 'http://127.0.0.2/', 'ftp://app.example/'],
    ...['javascript:alert(1)', 'data:text/html,1', 'myapp:/callback', 'urn:ietf:wg:oauth:2.0:oob'],
    ...['https://app.example/#', 'https://app.example/#here', 'https://*.example/', 'https://app.example/*'],
    ...['https://user:pass@app.example/', 'https://app.example@evil.example/', 'https:\\\\app.example\\'],
    ...[' https://app.example/', 'https://app.example/\n', 'https://äpp.example/', 'https://app.example/ä'],
  ])('%j is invalid', (uri) => expect(redirectUriProblem(uri)).toBeTypeOf('string'));
});
