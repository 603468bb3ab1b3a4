/** Common to the pages of the console. */
import * as z from 'zod/mini';
import { formRoute } from '../../shared/contract/form-route.ts';
import type { Grants } from '../../shared/contract/grants.ts';
import { htmlType, type OtherResponse, page, pageHeaders, redirect } from '../../shared/contract/headers.ts';
import { defineRoute, type Route, unlimitedErrors } from '../../shared/contract/route.ts';
import { CookieHeaders } from '../../shared/fields/cookie-headers.ts';
import { cursorField } from '../../shared/fields/page.ts';
import { Reason } from '../../shared/fields/reason.ts';

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

/** Of a page that shows a list: the place in it, and the order of its rows. */
export const listQuery = {
  cursor: cursorField,
  sort: field(
    'The column by which the rows of the page are sorted, after `-` from the last to the first.',
    64,
  ),
};

/** Of a page that shows a list by time. */
export const periodQuery = {
  from: field('The first day or time.'),
  to: field('The last day, which is included; or a time, which is not.'),
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

/** The path of the page of a subscription. */
export const customerPath = '/console/customers/{applicationId}/{subscriptionId}';

export const CustomerPath = z.extend(ApplicationPath, {
  subscriptionId: hidden('The id of the subscription.'),
});

/** Of every form: the anti-forgery token. */
export const formBody = { form: field('The anti-forgery token of the form.') };

/** Of the form of an action: why, in the words of the operator. */
export const reasonBody = {
  ...formBody,
  reason: Reason.check(z.meta({ description: 'Why, for the record of the action.' })),
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

/** The statements of the contract of a page, beside its query. */
type PageParts = Pick<Route, 'summary' | 'description' | 'grants'> &
  Partial<Pick<Route, 'operationId' | 'isUnsafe' | 'params' | 'responseHeaders' | 'produces' | 'errors'>> & {
    readonly path: `/console${string}`;
    readonly otherResponses?: readonly OtherResponse[];
  };

/** Of a page about a record. */
export const recordErrors = { ...unlimitedErrors, also: ['not_found'] } as const;

/** The route of a page, with the grants of its session and of its script. @param query beside the notice. */
export function definePage<
  const P extends PageParts,
  const Q extends Readonly<Record<string, z.ZodMiniType>>,
>(parts: P, query: Q) {
  const { otherResponses = [], grants, errors = unlimitedErrors } = parts;
  return defineRoute({
    ...pageRoute,
    ...parts,
    query: z.object({ ...noticeQuery, ...query }),
    otherResponses: [...pageRoute.otherResponses, ...otherResponses],
    errors,
    grants: {
      ...grants,
      table: { ...sessionTable, ...grants.table },
      files: [...(grants.files ?? []), 'console.js'],
    },
  });
}

/** A form of the console. It is sent to the path of its page. */
export const actionRoute = {
  ...formRoute,
  headers: CookieHeaders,
  otherResponses: [page(403, 'The form belongs to another session, or the scopes do not cover the action.')],
  errors: unlimitedErrors,
} as const;
