import type { Area } from '../fault.ts';

export const pages: Area = {
  'Where the API has a domain, a browser that was there once uses https alone.': {
    'functions/shared/contract/headers.ts: browsers are told to use https alone without a domain': [
      "publicUrl?.startsWith('https://') === true",
      "publicUrl?.startsWith('http') !== true",
    ],
  },
  'Caches may store `/docs` and `/openapi.json`, and no error of them.': {
    'functions/shared/contract/headers.ts: a cache may store an error': [
      "{ 'cache-control': 'no-store', 'x-content",
      "{ 'cache-control': 'public, max-age=60', 'x-content",
    ],
  },
  '`/docs` runs one script and one style sheet, and loads nothing.': {
    'lib/reference/pages.ts: the reference may load every file of its server': [
      '"default-src \'none\'",',
      '"default-src \'self\'",',
    ],
  },
  'A page that breaks its Content Security Policy fails its tests.': {
    'test/support/browser/problems.ts: errors on the console of a browser are ignored': [
      "if (message.type() === 'error' && ",
      "if (message.type() === 'assert' && ",
    ],
  },
  'A double click, a reload or the back button does nothing twice.': {
    'functions/oauth/consent-submit.ts: each submission of a consent has a code of its own': [
      'authorizationCodeOf(sessionToken, ticket, ',
      "authorizationCodeOf(sessionToken, newId('key', nowMs), ",
    ],
  },
  'A session that has ended changes nothing.': {
    'functions/shared/sign-in/session-store.ts: a session that has ended goes on': [
      'return session !== undefined && nowMs < session.expiresAtMs ? session : undefined;',
      'return session;',
    ],
  },
  'The page of an unknown path links to pages of this deployment alone, and contains nothing of the request.':
    {
      'functions/shared/html/unknown-path.ts: the page of an unknown path links to another site': [
        '${`${basePath}/docs`}',
        'https://docs.vouchsafe.example/',
      ],
    },
  'The sign-in of a page tells nobody who has an account.': {
    'functions/shared/sign-in/sign-in.ts: a code of an address without an account is not compared': [
      'const check = await verifyCode(',
      'if ((await page.findUser(email)) === undefined) return { refused: page.noUser() };\n  const check = await verifyCode(',
    ],
    'functions/shared/sign-in/sign-in.ts: a wrong code says that the address has no account': [
      "if (check.result === 'wrong') return repeatOrWrong();",
      "if (check.result === 'wrong') return (await page.findUser(email)) === undefined ? { refused: page.noUser() } : repeatOrWrong();",
    ],
  },
  'The share page runs one script, calls the API alone, and turns no text into markup or code.': {
    'functions/shared/html/page.ts: the share page may call every host': [
      "connect-src 'self'",
      'connect-src *',
    ],
  },
};
