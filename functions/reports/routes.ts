import type { Routes } from '../shared/contract/route.ts';
import { route as revenueRead } from './contracts/revenue-read.ts';

export const routes = {
  'revenue-read': revenueRead,
} satisfies Routes;
