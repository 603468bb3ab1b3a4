import type { Routes } from '../shared/contract/route.ts';
import { route as check } from './contracts/check.ts';
import { route as codeSend } from './contracts/code-send.ts';
import { route as list } from './contracts/list.ts';
import { route as revoke } from './contracts/revoke.ts';
import { route as trust } from './contracts/trust.ts';

export const routes = {
  check,
  'code-send': codeSend,
  trust,
  list,
  revoke,
} satisfies Routes;
