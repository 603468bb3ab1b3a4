import type { Routes } from '../shared/contract/route.ts';
import { route as create } from './contracts/create.ts';
import { route as list } from './contracts/list.ts';
import { route as read } from './contracts/read.ts';
import { route as update } from './contracts/update.ts';

export const routes = {
  list,
  create,
  read,
  update,
} satisfies Routes;
