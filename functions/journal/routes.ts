import type { Routes } from '../shared/contract/route.ts';
import { route as accountStatement } from './contracts/account-statement.ts';
import { route as list } from './contracts/list.ts';

export const routes = {
  list,
  'account-statement': accountStatement,
} satisfies Routes;
