/** Common to the pages of the console. */
import * as z from 'zod/mini';
import { formRoute } from '../../shared/contract/form-route.ts';
import type { Grants } from '../../shared/contract/grants.ts';
import { htmlType } from '../../shared/contract/headers.ts';
import { type OtherResponse, page, pageHeaders, redirect } from '../../shared/contract/other-responses.ts';
import { unlimitedErrors } from '../../shared/contract/route-parts.ts';
import { CookieHeaders } from '../../shared/fields/cookie-headers.ts';
import { cursorField } from '../../shared/fields/page.ts';
import { lineField, notBlank } from '../../shared/fields/text.ts';

/** A text that people enter. An empty text counts as absent. */
export const field = (description: string, maxLength = 256) =>
  z.optional(
    z.pipe(
      z.string().check(z.maxLength(maxLength), z.meta({ description })),
      z.transform((text) => text.trim() || undefined),
    ),
  );

/** A field with its own schema. An empty text counts as absent. */
export const emptyOr = <S extends z.ZodMiniType>(description: string, schema: S) =>
  z.optional(
    z.pipe(
      z.union([schema, z.literal('')]).check(z.meta({ description })),
      z.transform((value) => (value === '' ? undefined : value)),
    ),
  );

/** One of several values, or none. */
export const choice = <const V extends readonly string[]>(description: string, values: V) =>
  emptyOr(description, z.enum(values));

/** A field that a page fills in, such as an id. */
export const hidden = (description: string, maxLength = 128) =>
  z.string().check(z.minLength(1), z.maxLength(maxLength), z.meta({ description }));

/** A number that a page fills in. */
export const count = (description: string) =>
  z.pipe(
    z.string().check(z.regex(/^\d{1,15}$/), z.meta({ description, examples: ['3'] })),
    z.transform(Number),
  );

/** Each request reads the session with its operator key. */
export const sessionTable = {
  CONSOLESESSION: ['BatchGetItem'],
  OPERATOR: ['BatchGetItem'],
} as const satisfies Grants['table'];

/** The form of an action, of a union of forms. */
export type FormOf<F extends { action: string }, A extends F['action']> = Extract<F, { action: A }>;

/** Of every page: the notice of the action before, and its form. */
export const noticeQuery = {
  notice: field('A notice, with a proof that a page of this session has made it.', 512),
  noticeForm: field('The form that the notice carries, with such a proof.', 512),
};

/** Of a page that shows a list: the place in it, and `csv` for the file. */
export const listQuery = {
  cursor: cursorField,
  format: choice('A file with the records of the page and those after it.', ['csv']),
};

/** The file of a page that shows a list. */
export const csvDownload: OtherResponse = {
  status: 200,
  description: 'The records as CSV (RFC 4180), with a header row, with `format=csv`.',
  mediaType: 'text/csv',
  headers: ['content-disposition', 'referrer-policy'],
};

/** Of a page about one application. */
export const ApplicationPath = z.object({
  applicationId: hidden('The id of the application.'),
});

/** Of every form: the anti-forgery token. */
export const formBody = { form: field('The anti-forgery token of the form.') };

/** Of the form of an action: why, in the words of the operator. */
export const reasonBody = {
  ...formBody,
  reason: lineField(500).check(notBlank, z.meta({ description: 'Why, for the record of the action.' })),
};

const toSignIn = 'Nobody is signed in. The browser is redirected to the sign-in, and back afterwards.';
const refused = 'The scopes of the operator key do not cover the page. The page names the scope.';

/** A page of the console. */
export const pageRoute = {
  method: 'GET',
  auth: 'none',
  headers: CookieHeaders,
  response: z.string(),
  responseHeaders: pageHeaders,
  produces: htmlType,
  otherResponses: [redirect(toSignIn), page(403, refused)],
  errorPages: true,
  errors: unlimitedErrors,
} as const;

/** A form of the console. It is sent to the path of its page. */
export const actionRoute = {
  ...formRoute,
  headers: CookieHeaders,
  otherResponses: [page(403, 'The form belongs to another session, or the scopes do not cover the action.')],
  errors: unlimitedErrors,
} as const;
