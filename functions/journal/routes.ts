import type { Routes } from '../shared/contract/route.ts';
import { route as clientStatement } from './contracts/client-statement.ts';
import { route as list } from './contracts/list.ts';

export const routes = {
  list,
  'client-statement': clientStatement,
} satisfies Routes;
