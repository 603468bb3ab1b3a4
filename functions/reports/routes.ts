import type { Routes } from '../shared/contract/route.ts';
import { route as revenueRead } from './contracts/revenue-read.ts';
import { route as taxRead } from './contracts/tax-read.ts';

export const routes = {
  'revenue-read': revenueRead,
  'tax-read': taxRead,
} satisfies Routes;
