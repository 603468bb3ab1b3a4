import type { Rules } from '../scenario.ts';
import { accountPageRules } from './account.ts';
import { accountRules } from './accounts.ts';
import { billingRules } from './billing.ts';
import { financeRules } from './finance.ts';
import { financeStatementRules } from './finance-statements.ts';
import { linkRules } from './links.ts';
import { oauthRules } from './oauth.ts';
import { operatorRules } from './operator.ts';
import { subscriptionRules } from './subscriptions.ts';
import { webhookRules } from './webhooks.ts';

/** By the id of the route or timer, or by id and situation: `links.update: nothing`. */
const rules: Readonly<Record<string, Rules>> = Object.assign(
  {},
  accountRules,
  accountPageRules,
  billingRules,
  financeRules,
  financeStatementRules,
  linkRules,
  oauthRules,
  operatorRules,
  subscriptionRules,
  webhookRules,
);

export const rulesFor = (id: string, what: string): Rules => rules[`${id}: ${what}`] ?? rules[id] ?? {};
