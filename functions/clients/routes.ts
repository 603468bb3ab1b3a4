import type { Routes } from '../shared/contract/route.ts';
import { route as list } from './contracts/list.ts';
import { route as upsert } from './contracts/upsert.ts';

export const routes = {
  upsert,
  list,
} satisfies Routes;
