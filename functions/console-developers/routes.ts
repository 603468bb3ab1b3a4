import type { Routes } from '../shared/contract/route.ts';
import { route as act } from './contracts/act.ts';
import { route as list } from './contracts/list.ts';
import { route as show } from './contracts/show.ts';
import { route as webhookAct } from './contracts/webhook-act.ts';
import { route as webhookShow } from './contracts/webhook-show.ts';

export const routes = {
  list,
  show,
  act,
  'webhook-show': webhookShow,
  'webhook-act': webhookAct,
} satisfies Routes;
