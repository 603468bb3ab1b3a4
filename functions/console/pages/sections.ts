/** The sections of the console, and the pages of the kinds of records. A section or a kind is listed when its page exists. */
import type { SearchHit } from '../../operator/search/schemas.ts';
import type { OperatorScope } from '../../shared/contract/operator-scopes.ts';
import type { ConsolePath } from './visit.ts';

/** A link of the header. */
export interface Section {
  title: string;
  path: ConsolePath;
  /** Keys without it do not see the section; `any`: all keys see it. */
  scope: OperatorScope | 'any';
}

export const sections: readonly Section[] = [
  { title: 'Reviews', path: '/console/reviews', scope: 'review' },
  { title: 'Customers', path: '/console/customers', scope: 'finance' },
  { title: 'Money', path: '/console/money', scope: 'finance' },
  { title: 'Developers', path: '/console/developers', scope: 'support' },
  { title: 'Audit', path: '/console/audit', scope: 'admin' },
  { title: 'Operations', path: '/console/operations', scope: 'any' },
];

type Kind = SearchHit['kind'];

/** The path of the page of a record. Fields of its hit stand in it: its `{id}`, and those of its owners. */
export type RecordPages = Readonly<Partial<Record<Kind, ConsolePath>>>;

const customer = '/console/customers/{applicationId}/{subscriptionId}';

export const recordPages: RecordPages = {
  user: '/console/operations?service=users&operation=upsert&path.userId={id}',
  plan: '/console/operations?service=plans&operation=update&path.id={applicationId}&path.planId={id}',
  application: '/console/developers/{id}',
  webhook: '/console/developers/{applicationId}/webhooks/{id}',
  link: '/console/reviews/{id}',
  client: '/console/customers/{applicationId}/clients/{id}',
  subscription: '/console/customers/{applicationId}/{id}',
  invoice: customer,
  credit_note: customer,
  bank_statement: '/console/money/{applicationId}/statements/{id}',
};

/** The kinds of records for people. */
export const kindNames: Readonly<Record<Kind, string>> = {
  application: 'Application',
  user: 'User',
  client: 'Client',
  subscription: 'Subscription',
  invoice: 'Invoice',
  credit_note: 'Credit note',
  payment: 'Payment',
  bank_statement: 'Bank statement',
  plan: 'Plan',
  link: 'Link',
  webhook: 'Webhook',
  event: 'Event',
  operator_key: 'Operator key',
};
