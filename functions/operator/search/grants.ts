import type { Grants } from '../../shared/contract/grants.ts';

export const searchGrants = {
  table: {
    ADDRESS: ['GetItem'],
    APP: ['GetItem'],
    BANKSTATEMENT: ['GetItem'],
    CLIENT: ['GetItem', 'BatchGetItem'],
    EVENT: ['BatchGetItem'],
    INVOICE: ['GetItem'],
    LINK: ['GetItem'],
    OPERATOR: ['GetItem'],
    PAYMENT: ['GetItem'],
    PLAN: ['GetItem'],
    REFERENCE: ['GetItem'],
    SUBSCRIPTION: ['GetItem'],
    USER: ['GetItem', 'BatchGetItem'],
    VERIFIEDADDRESS: ['Query'],
    WEBHOOK: ['GetItem'],
  },
  indexes: { byLink: [], byName: ['NAME'], listed: ['LIST'] },
} as const satisfies Grants;
