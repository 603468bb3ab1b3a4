import type { Routes } from '../shared/contract/route.ts';
import { route as confirm } from './contracts/confirm.ts';
import { route as create } from './contracts/create.ts';
import { route as list } from './contracts/list.ts';
import { route as read } from './contracts/read.ts';

export const routes = {
  create,
  list,
  read,
  confirm,
} satisfies Routes;
