import type { Routes } from '../shared/contract/route.ts';
import { route as receivablesRead } from './contracts/receivables-read.ts';
import { route as revenueRead } from './contracts/revenue-read.ts';
import { route as taxRead } from './contracts/tax-read.ts';

export const routes = {
  'receivables-read': receivablesRead,
  'revenue-read': revenueRead,
  'tax-read': taxRead,
} satisfies Routes;
