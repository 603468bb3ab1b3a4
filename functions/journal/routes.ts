import type { Routes } from '../shared/contract/route.ts';
import { route as list } from './contracts/list.ts';

export const routes = { list } satisfies Routes;
