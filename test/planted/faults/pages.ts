// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the text of a source has placeholders.

import type { PlantedFault } from '../fault.ts';

const signIn = 'functions/shared/sign-in/sign-in.ts';

/** Faults of pages, of their headers and of their sessions. */
export const faultsOfPages: readonly PlantedFault[] = [
  {
    name: 'a page of the local stack is stored with the time on it',
    file: 'lib/local/http/time-bar.ts',
    find: "'cache-control': 'no-store',",
    replace: '',
    caughtBy: { tests: ['test/handlers/lib/local/http/server.test.ts'] },
  },
  {
    name: 'the local stack adds its time to documents',
    file: 'lib/local/http/time-bar.ts',
    find: "headers['content-disposition'] === undefined",
    replace: 'true',
    caughtBy: { tests: ['test/handlers/lib/local/http/server.test.ts'] },
  },
  {
    name: 'the policy of a page forbids the styles of the time of the stack',
    file: 'lib/local/http/time-bar.ts',
    find: '`${directive}${stylesSource} `',
    replace: 'directive',
    caughtBy: { tests: ['test/handlers/lib/local/http/server.test.ts'] },
  },
  {
    name: 'browsers are told to use https alone without a domain',
    file: 'functions/shared/contract/headers.ts',
    find: "publicUrl?.startsWith('https://') === true",
    replace: "publicUrl?.startsWith('http') !== true",
    caughtBy: { promise: 'Where the API has a domain, a browser that was there once uses https alone.' },
  },
  {
    name: 'a cache may store an error',
    file: 'functions/shared/contract/headers.ts',
    find: "{ 'cache-control': 'no-store', 'x-content",
    replace: "{ 'cache-control': 'public, max-age=60', 'x-content",
    caughtBy: { promise: 'Caches may store `/docs` and `/openapi.json`, and no error of them.' },
  },
  {
    name: 'the reference may load every file of its server',
    file: 'lib/reference/pages.ts',
    find: '"default-src \'none\'",',
    replace: '"default-src \'self\'",',
    caughtBy: { promise: '`/docs` runs one script and one style sheet, and loads nothing.' },
  },
  {
    name: 'errors on the console of a browser are ignored',
    file: 'test/support/browser/problems.ts',
    find: "if (message.type() === 'error' && ",
    replace: "if (message.type() === 'assert' && ",
    caughtBy: { promise: 'A page that breaks its Content Security Policy fails its tests.' },
  },
  {
    name: 'each submission of a consent has a code of its own',
    file: 'functions/oauth/consent/decision.ts',
    find: 'authorizationCodeOf(sessionToken, ticket, ',
    replace: "authorizationCodeOf(sessionToken, newId('key', nowMs), ",
    caughtBy: { promise: 'A double click, a reload or the back button does nothing twice.' },
  },
  {
    name: 'a session that has ended goes on',
    file: 'functions/shared/sign-in/session-store.ts',
    find: 'return session !== undefined && nowMs < session.expiresAtMs ? session : undefined;',
    replace: 'return session;',
    caughtBy: { promise: 'A session that has ended changes nothing.' },
  },
  {
    name: 'the page of an unknown path links to another site',
    file: 'functions/shared/html/unknown-path.ts',
    find: '${`${basePath}/docs`}',
    replace: 'https://docs.vouchsafe.example/',
    caughtBy: {
      promise:
        'The page of an unknown path links to pages of this deployment alone, and contains nothing of the request.',
    },
  },
  {
    name: 'a code of an address without an account is not compared',
    file: signIn,
    find: 'const check = await verifyCode(',
    replace:
      'if ((await page.findUser(email)) === undefined) return { refused: page.noUser() };\n  const check = await verifyCode(',
    caughtBy: { promise: 'The sign-in of a page tells nobody who has an account.' },
  },
  {
    name: 'a wrong code says that the address has no account',
    file: signIn,
    find: "if (check.result === 'wrong') return repeatOrWrong();",
    replace:
      "if (check.result === 'wrong') return (await page.findUser(email)) === undefined ? { refused: page.noUser() } : repeatOrWrong();",
    caughtBy: { promise: 'The sign-in of a page tells nobody who has an account.' },
  },
  {
    name: 'the share page may call every host',
    file: 'functions/shared/html/page.ts',
    find: "connect-src 'self'",
    replace: 'connect-src *',
    caughtBy: {
      promise: 'The share page runs one script, calls the API alone, and turns no text into markup or code.',
    },
  },
];
