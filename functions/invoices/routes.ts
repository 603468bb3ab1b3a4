import type { Routes } from '../shared/contract/route.ts';
import { route as creditNoteRead } from './contracts/credit-note-read.ts';
import { route as list } from './contracts/list.ts';
import { route as read } from './contracts/read.ts';

export const routes = {
  read,
  'credit-note-read': creditNoteRead,
  list,
} satisfies Routes;
