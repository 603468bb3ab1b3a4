import type { Routes } from '../shared/contract/route.ts';
import { route as apply } from './contracts/apply.ts';
import { route as home } from './contracts/home.ts';
import { route as show } from './contracts/show.ts';

export const routes = {
  home,
  show,
  apply,
} satisfies Routes;
