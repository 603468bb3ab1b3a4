import type { Routes } from '../shared/contract/route.ts';
import { route as document } from './contracts/document.ts';
import { route as group } from './contracts/group.ts';
import { route as home } from './contracts/home.ts';
import { route as page } from './contracts/page.ts';
import { route as securityTxt } from './contracts/security-txt.ts';

export const routes = {
  home,
  'security-txt': securityTxt,
  document,
  page,
  group,
} satisfies Routes;
