import type { Routes } from '../shared/contract/route.ts';
import { route as create } from './contracts/create.ts';
import { route as keyCreate } from './contracts/key-create.ts';
import { route as keyRevoke } from './contracts/key-revoke.ts';
import { route as list } from './contracts/list.ts';
import { route as read } from './contracts/read.ts';
import { route as update } from './contracts/update.ts';

export const routes = {
  create,
  read,
  list,
  update,
  'key-create': keyCreate,
  'key-revoke': keyRevoke,
} satisfies Routes;
