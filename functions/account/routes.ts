import type { Routes } from '../shared/contract/route.ts';
import { route as show } from './contracts/show.ts';
import { route as submit } from './contracts/submit.ts';

export const routes = {
  show,
  submit,
} satisfies Routes;
