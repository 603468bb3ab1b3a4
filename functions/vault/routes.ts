import type { Routes } from '../shared/contract/route.ts';
import { route as read } from './contracts/read.ts';
import { route as write } from './contracts/write.ts';

export const routes = {
  read,
  write,
} satisfies Routes;
