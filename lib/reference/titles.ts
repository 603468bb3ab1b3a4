/** The titles of operations and of pages, in sentence case. */
import { operationsOf, type PlacedOperation } from '../openapi/placed-operation.ts';
import type { OpenApiDocument } from '../openapi/types.ts';

/** The objects that are known without a name. */
const only = /^(current|vault$|.* page$|.* report$)/;
/** Plurals, and what is not counted. */
const uncounted = /(metadata|[^s]s)$/;

/** The titles that do not follow from the id. */
const others: Readonly<Record<string, string>> = {
  createToken: 'Create tokens',
  upsertClient: 'Create or update a client',
  upsertUser: 'Create or replace a user',
  upsertSocialAccount: 'Create or replace a social account',
  receiveStripeEvent: 'Receive an event of Stripe',
  payOutCredit: 'Pay out credit',
  getHome: 'Show the home page',
  getSecurityTxt: 'Get security.txt',
  getOpenApiDocument: 'Get the OpenAPI document',
};

/** The title of an operation by its id: `Cancel a subscription` for `cancelSubscription`. */
export function titleOf(operationId: string): string {
  const other = others[operationId];
  if (other !== undefined) return other;
  const [verb = '', ...rest] = operationId.split(/(?=[A-Z])/);
  const object = rest.join(' ').toLowerCase();
  return [`${verb.charAt(0).toUpperCase()}${verb.slice(1)}`, articleOf(object), object]
    .filter((word) => word !== '')
    .join(' ');
}

/** The article of an object; empty for one that is not counted. */
export function articleOf(object: string): string {
  if (only.test(object)) return 'the';
  if (uncounted.test(object)) return '';
  return /^[aeio]/.test(object) ? 'an' : 'a';
}

/** The titles of groups that are not their names. */
const groups: Readonly<Record<string, string>> = {
  oauth: 'OAuth 2.0',
  account: 'Account page',
  portal: 'Billing page',
  statements: 'Bank statements',
  operator: 'Operators',
  reference: 'About the API',
};

/** The title of the group of a tag: `Subscriptions`. */
const groupTitleOf = (name: string): string =>
  groups[name] ?? `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

/** The operations of a tag, which have a page. */
export interface Group {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly operations: readonly PlacedOperation[];
}

/** The operations of each tag, in the order of the document. */
export function groupsOf(document: OpenApiDocument): Group[] {
  const operations = operationsOf(document);
  return document.tags
    .map(({ name, description }) => ({
      name,
      title: groupTitleOf(name),
      description,
      operations: operations.filter(({ operation }) => operation.tags[0] === name),
    }))
    .filter((group) => group.operations.length > 0);
}
