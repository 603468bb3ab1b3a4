import type { Routes } from '../shared/contract/route.ts';
import { route as list } from './contracts/list.ts';
import { route as show } from './contracts/show.ts';
import { route as webhookShow } from './contracts/webhook-show.ts';

export const routes = {
  list,
  show,
  'webhook-show': webhookShow,
} satisfies Routes;
